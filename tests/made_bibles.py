"""A file of verses as the package of the King James Bible has it."""

from collections.abc import Mapping, Sequence

Books = Mapping[str, Sequence[str]]  # title -> verses


def make_bible(books: Books) -> str:
    """Make its text, with every verse in a first chapter."""
    text, starts, ends = "\n", [], []
    for book, verses in enumerate(books.values(), 1):
        for number, verse in enumerate(verses, 1):
            key = f"{book}001{number:03}"
            starts.append(f"        {key}: {len(text)},")
            text += f"{number}. {verse}"
            ends.append(f"        {key}: {len(text)},")
            text += "\n"
    titles = [f'        Book.B{number}: "{title}",' for number, title in enumerate(books)]
    lines = ["bible = Bible(", f'    """{text}""",', "    {", *starts, "    },", "    {", *ends, "    },"]
    lines += ["    {", "        Book.B0: {", "            1: 2,", "        },", "    },"]
    return "\n".join([*lines, "    {", *titles, "    },", ")", ""])
