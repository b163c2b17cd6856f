"""Markdown to HTML: the part of GitHub's Markdown that our pages use.

Headings, paragraphs, lists, tables, quotes, code (fenced, indented, inline), links, images, `*em*` and `**strong**`, `<img>` on a line by
itself. Everything else is text, and other raw HTML is an error: so nothing but these elements can be in a page. A paragraph, list or
table ends where GitHub ends it; headings have GitHub's anchors.
"""

import html
import re

FENCE = re.compile(r"^(`{3,})(\w*)\s*$")
HEADING = re.compile(r"^(#{1,6}) +(.*?)\s*$")
ITEM = re.compile(r"^([-*]|\d{1,9}\.)( +)(?=\S)")
RULE = re.compile(r"^\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$")
RAW = re.compile(r"^</?[A-Za-z][^>]*>")
IMAGE_TAG = re.compile(r'^<img src="([^"]*)" alt="([^"]*)"(?: width="(\d+)")?>$')
INLINE = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!\[(?P<alt>[^\]]*)\]\((?P<src>[^)\s]+)\)"
    r"|\[(?P<text>(?:`[^`]*`|[^\]`])+)\]\((?P<href>[^)\s]+)\)"
    r"|<(?P<address>https?://[^>\s]+)>"
    r"|\*\*(?P<strong>(?=\S)(?:`[^`]*`|[^`])+?(?<=\S))\*\*"
    r"|(?<!\w)\*(?P<em>(?=[^\s*])(?:`[^`]*`|[^*`])+?(?<=\S))\*",
    re.DOTALL,
)


class NotSupported(Exception):
    """A construct that the pages should do without."""


class Document:
    """A page: its HTML, its title, the links in it, the anchors, what stands between backticks, and the lines of each block of code.

    `link` turns the target of a link or image into what the page shall have, `name` the text of a link if that is its target.
    """

    def __init__(self, text, link=lambda target: target, name=lambda target: target):
        self.links, self.anchors, self.code, self.blocks, self.title = [], {}, [], [], ""
        self._link, self._name = link, name
        self.html = self._blocks(text.expandtabs(4).split("\n"))

    def _blocks(self, lines, tight=False):
        out, at = [], 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
                continue
            for kind in (self._comment, self._fence, self._heading, self._indented, self._table, self._list, self._quote, self._image):
                done = kind(lines, at)
                if done:
                    break
            else:
                done = self._paragraph(lines, at, tight)
            shown, at = done
            out.append(shown)
        return "\n".join(part for part in out if part)

    def _comment(self, lines, at):
        if lines[at].startswith("<!--"):
            while "-->" not in lines[at]:
                at += 1
            return "", at + 1

    def _fence(self, lines, at):
        if opening := FENCE.match(lines[at]):
            end = at + 1
            while lines[end].rstrip() != opening[1]:
                end += 1
            return self._code(lines[at + 1 : end]), end + 1

    def _heading(self, lines, at):
        if found := HEADING.match(lines[at]):
            shown = self._inline(found[2])
            plain = html.unescape(re.sub(r"<[^>]*>", "", shown))
            anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            seen = self.anchors.get(anchor, 0)
            self.anchors[anchor] = seen + 1
            if seen:
                anchor += f"-{seen}"
                self.anchors[anchor] = 1
            level = len(found[1])
            if level == 1 and not self.title:
                self.title = plain
            here = "" if level == 1 else f' <a class="here" href="#{anchor}" aria-label="link to this section">#</a>'
            return f'<h{level} id="{anchor}">{shown}{here}</h{level}>', at + 1

    def _indented(self, lines, at):
        if lines[at].startswith("    "):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            block = [line[4:] for line in lines[at:end]]
            while not block[-1].strip():
                block.pop()
            return self._code(block), end

    def _code(self, lines):
        self.blocks.append(lines)
        text = html.escape("\n".join(lines), quote=False)
        return f'<pre tabindex="0"><code>{text}\n</code></pre>'

    def _table(self, lines, at):
        if not (lines[at].startswith("|") and at + 1 < len(lines) and RULE.match(lines[at + 1].strip())):
            return None
        sides = ["" if not rule.endswith(":") else "c" if rule.startswith(":") else "r" for rule in cells(lines[at + 1])]
        end = at + 2
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        row = lambda line, tag: "<tr>" + "".join(
            f"<{tag}{f' class={side}' if side else ''}>{self._inline(cell)}</{tag}>" for cell, side in zip(cells(line), sides)
        ) + "</tr>"
        body = "\n".join(row(line, "td") for line in lines[at + 2 : end])
        return f'<div class="wide" tabindex="0"><table>\n<thead>{row(lines[at], "th")}</thead>\n<tbody>\n{body}\n</tbody></table></div>', end

    def _list(self, lines, at):
        first = ITEM.match(lines[at])
        if not first:
            return None
        ordered = first[1][0].isdigit()
        items, loose, blank = [], False, False
        while at < len(lines):
            line = lines[at]
            marker = ITEM.match(line)
            if marker and marker[1][0].isdigit() == ordered:
                loose |= blank
                width = marker.end()
                items.append([line[width:]])
            elif not line.strip():
                items[-1].append("")
            elif line.startswith(" " * width):
                loose |= blank
                items[-1].append(line[width:])
            elif blank or marker or starts_block(line):
                break
            else:  # a line that the paragraph before takes in
                items[-1].append(line.lstrip())
            blank = not line.strip()
            at += 1
        tag = "ol" if ordered else "ul"
        start = f' start="{int(first[1][:-1])}"' if ordered and first[1] != "1." else ""
        shown = "\n".join(f"<li>{self._blocks(item, tight=not loose)}</li>" for item in items)
        return f"<{tag}{start}>\n{shown}\n</{tag}>", at

    def _quote(self, lines, at):
        if lines[at].startswith(">"):
            end = at
            while end < len(lines) and lines[end].startswith(">"):
                end += 1
            return f"<blockquote>{self._blocks([line[1:].removeprefix(' ') for line in lines[at:end]])}</blockquote>", end

    def _image(self, lines, at):
        if found := IMAGE_TAG.match(lines[at].strip()):
            width = f' width="{found[3]}"' if found[3] else ""
            return f"<p>{self._picture(found[1], html.unescape(found[2]), width)}</p>", at + 1
        if RAW.match(lines[at]):
            raise NotSupported(f"raw HTML: {lines[at]}")

    def _paragraph(self, lines, at, tight):
        end = at + 1
        while end < len(lines) and lines[end].strip() and not starts_block(lines[end]) and not ITEM.match(lines[end]):
            end += 1
        shown = self._inline("\n".join(line.strip() for line in lines[at:end]))
        return (shown if tight else f"<p>{shown}</p>"), end

    def _picture(self, target, alt, more=""):
        self.links.append(target)
        return f'<img src="{html.escape(self._link(target))}" alt="{html.escape(alt)}"{more}>'

    def _inline(self, text):
        out, at = [], 0
        for found in INLINE.finditer(text):
            out.append(html.escape(text[at : found.start()], quote=False))
            out.append(self._element(found))
            at = found.end()
        return "".join(out) + html.escape(text[at:], quote=False)

    def _element(self, found):
        if found["ticks"]:
            code = found["code"].replace("\n", " ")
            if code.startswith(" ") and code.endswith(" ") and code.strip():
                code = code[1:-1]
            self.code.append(code)
            return f"<code>{html.escape(code, quote=False)}</code>"
        if found["escaped"]:
            return html.escape(found["escaped"])
        if found["src"]:
            return self._picture(found["src"], found["alt"])
        if target := found["href"] or found["address"]:
            self.links.append(target)
            shown = html.escape(self._name(target)) if found["text"] in (None, target) else self._inline(found["text"])
            return f'<a href="{html.escape(self._link(target))}">{shown}</a>'
        if found["strong"]:
            return f"<strong>{self._inline(found['strong'])}</strong>"
        return f"<em>{self._inline(found['em'])}</em>"


def starts_block(line):
    """Whether the line ends a paragraph before it."""
    return bool(FENCE.match(line) or HEADING.match(line) or line.startswith((">", "|", "<!--")))


def cells(line):
    """The cells of a line of a table."""
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]
