"""What an instructor runs: releases of assignments, and the grading of submissions."""
