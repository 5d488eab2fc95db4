"""The configuration of the site; ``python tools/build_site.py`` builds it."""

import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tools"))

from site_pages import write_pages  # noqa: E402

from aq_gym import __version__  # noqa: E402
from aq_gym.support.data import CANARY  # noqa: E402

project = "aq_gym"
author = "The aq_gym authors"
release = version = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]

# Notebooks have their output, which tools/notebooks.py keeps and the tests check.
nb_execution_mode = "off"

# Markdown: links to headings are checked, as are those to files.
myst_heading_anchors = 3
myst_links_external_new_tab = False
# A picture has a class.
myst_enable_extensions = ["attrs_inline"]
# A training set that swallowed our pages or data files is recognised by it.
myst_html_meta = {"canary": CANARY}

# Links to functions, methods and modules must lead somewhere; types of other packages
# are in no documentation here.
nitpicky = True
nitpick_ignore_regex = [("py:class", ".*"), ("py:exc", r"gymnasium\..*|ResetNeeded")]

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
html_favicon = "_static/icon.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
# Files that are copied as they are: the report that docs/reports.md shows.
html_extra_path = ["extra"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
# Readable with and without dark mode.
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

_SIGNATURE_LINES = re.compile(r"<dl>\n(?:<dd>.*</dd>\n)+</dl>")


def accessible(
    app: Any, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Mend what axe finds in the pages of Sphinx and Furo.

    Args:
        app: Sphinx.
        page: The name of the page.
        template: The template it is made from.
        context: What the template gets; it is changed.
        doctree: The page's tree.
    """
    body = _SIGNATURE_LINES.sub(_as_spans, context.get("body", ""))
    # What scrolls must be reachable by keyboard.
    body = body.replace("<pre>", '<pre tabindex="0">')
    body = body.replace(
        '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
    )
    # An empty corner of a table is no heading.
    context["body"] = body.replace('<th class="head"><p></p></th>', "<td></td>")
    tree = context.get("furo_navigation_tree", "")
    headed = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    context["furo_navigation_tree"] = headed


def _as_spans(lines: re.Match[str]) -> str:
    """Return the lines of a signature as spans, since a list of terms has terms."""
    text = lines[0].replace("<dd>", '<span class="sig-line">')
    return text.replace("</dd>", "</span>").replace("<dl>", "").replace("</dl>", "")


def setup(app: Any) -> None:
    """Connect the above, after Furo.

    Args:
        app: Sphinx.
    """
    write_pages(DOCS)
    app.connect("html-page-context", accessible, priority=900)
