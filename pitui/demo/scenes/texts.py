"""The longer texts of the scenes."""

from __future__ import annotations

MARKDOWN = '''# Markdown, all of it

A paragraph with **bold**, *italic*, ***both***, ~~struck~~, `inline code`, a [link](https://example.org/demo) and an
autolink <https://example.org>. A footnote-like mark\\* that is none, and an escaped \\_underscore\\_.

## Lists

1. First
2. Second
   - nested with a dash
     - and once more
       1. numbered again
   - back one level
3. Third, with two paragraphs.

   This one belongs to the third item.

- [x] a task that is done
- [ ] one that is not
  - [ ] a nested one

## A table

| Tool  | Reads | Writes | Time     |
|:------|:-----:|:------:|---------:|
| read  |   ✓   |        |   0.1 s  |
| edit  |   ✓   |   ✓    |   0.2 s  |
| bash  |   ✓   |   ✓    | *varies* |

## Code

```python
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the plane."""

    x: float
    y: float = 0.0

    def __abs__(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5  # Pythagoras
```

```typescript
export const sum = (...numbers: number[]): number => numbers.reduce((a, b) => a + b, 0);
```

```rust
fn main() {
    let words = vec!["calm", "dense", "quick"];
    println!("{}", words.join(", "));
}
```

```bash
for file in *.py; do wc -l "$file"; done | sort -n
```

```json
{"name": "demo", "list": [1, 2.5, null, true], "nested": {"key": "value"}}
```

```diff
-    for line in chunk.splitlines():
+    for line in chunk.split("\\n"):
```

~~~
A fence without a language, and a very long line that has to be wrapped or cut somewhere, as the window likes.
~~~

## Quotes

> A quote, as in a mail.
>
> > And one inside it.
> >
> > - with a list

---

### Mathematics

Inline $e^{i\\pi} + 1 = 0$ and as a block:

$$
\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}
$$

### A diagram

```mermaid
graph LR
    prompt --> agent --> tools
    tools --> agent
    agent --> answer
```

### Other scripts

日本語の文章と中文的句子、한국어 문장. Ελληνικά, кириллица, עברית and العربية.
Emoji: 👩‍👩‍👧 🇪🇺 👍🏽 ✨, wide and narrow: ｆｕｌｌ half, combining: e\u0301 a\u0308.

#### Smaller headings

##### still smaller

###### the smallest

A line with a backslash at its end\\
breaks here. An image: ![a demo image](https://example.org/demo.png)

That is all.
'''

LONG_PARTS = (
    "A terminal is a grid of cells, and whoever draws on it should touch as few of them as possible. When an "
    "answer streams in, only its last lines change. Everything above is settled, and to draw it again is to waste "
    "the time in which the next key could be read. This is why a good view keeps the lines it has drawn, and asks "
    "only what is new. The reader does not see any of it; he only notices that nothing flickers.\n\n"
    "Scrolling is the same question from the other side. A step moves the window over lines that exist, and costs "
    "as much as the window is high. If it costs as much as the text is long, the view will be quick in every "
    "demonstration and slow on every Friday afternoon.",
    "The second matter is time. People forgive a wait that they understand: a glyph that turns, a number of "
    "seconds, the name of what runs. They do not forgive a screen that says nothing. So a view should say at "
    "every moment what the agent is doing, since when, and which key stops it.\n\n"
    "It should say it quietly. One thing moves at a time; the rest stands still, so that the eye can rest where "
    "it reads. Colour comes third, after words and shapes, because not everybody sees it and no two terminals "
    "agree on it.",
    "The third matter is trust. Whatever comes from outside is text and stays text: it may not move the cursor, "
    "change the title or pretend to be a button. What the reader has typed is his, and no question, no crash and "
    "no other window takes it away from him.\n\n"
    "And when all of this is done, the best compliment is that nobody mentions it.\n\n"
    "That was the long answer.",
)
