"""Lessons and assignments are tested by walking course/ and solutions/: what is found is tested."""
