"""The configuration of the site; ``python tools/build_site.py`` builds it."""

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tools"))

from site_pages import write_pages  # noqa: E402

from aq_gym import __version__  # noqa: E402

project = "aq_gym"
author = "The aq_gym authors"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["notebooks/*.py"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

# Markdown: links to headings are checked, as are those to files.
myst_heading_anchors = 3
myst_links_external_new_tab = False

# API: arguments are described in the docstrings, types in the signatures.
autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
add_module_names = False
maximum_signature_line_length = 80

html_theme = "furo"
html_title = "aq_gym"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
# Readable with and without dark mode.
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

write_pages(DOCS)
