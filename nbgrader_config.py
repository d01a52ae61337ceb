"""Where nbgrader finds things: solutions/ is its source, exercises/ its release, the rest is instructor/."""

from pathlib import Path

root = Path(__file__).resolve().parent
instructor = root / "instructor"
for name in ("submitted", "autograded", "feedback", "exchange", "cache"):
    (instructor / name).mkdir(parents=True, exist_ok=True)

c = get_config()

c.CourseDirectory.course_id = "warps-to-clusters"
c.CourseDirectory.root = str(root)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
c.CourseDirectory.submitted_directory = "instructor/submitted"
c.CourseDirectory.autograded_directory = "instructor/autograded"
c.CourseDirectory.feedback_directory = "instructor/feedback"
c.CourseDirectory.db_url = f"sqlite:///{(instructor / 'gradebook.db').as_posix()}"
# What `make exercises` and `make reset` leave beside a learner's notebook is nobody's assignment.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.new.*", "*.saved-*"]

# nbgrader warns at every start when it cannot write to its exchange, even where none is used.
c.Exchange.root = str(instructor / "exchange")
c.Exchange.cache = str(instructor / "cache")

c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("your code here")'}
c.ClearSolutions.text_stub = "Your answer here."

# A learner who deleted a check cell loses nothing but what the check finds.
c.OverwriteCells.add_missing_cells = True
c.Execute.timeout = 120
