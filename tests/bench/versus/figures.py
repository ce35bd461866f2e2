"""What `versus` prints of its rounds: ratios, tables and notes.

A round is {"peers": {name: tokens/s}, "ours": {precision: tokens/s}}; peers that are left out are in the first alone.
"""
import statistics


def in_all(rounds):
    """The peers that every round has, in the order in which they were timed."""
    return [name for name in rounds[0]["peers"] if all(name in each["peers"] for each in rounds)]


def best_peer(rounds):
    """The peer that is fastest by its median, and that median."""
    medians = {name: statistics.median(each["peers"][name] for each in rounds) for name in in_all(rounds)}
    best = max(medians, key=medians.get)
    return best, medians[best]


def summary(rounds, precision):
    """Ours in one precision, over the best of the peers in the same round."""
    ratios = [each["ours"][precision] / max(each["peers"].values()) for each in rounds]
    return {"tokens_per_second": statistics.median(each["ours"][precision] for each in rounds),
            "ratio": statistics.median(ratios), "minimum": min(ratios), "maximum": max(ratios)}


def label(row):
    return f"{row['size']} {row['objective']}" + (" 15 %" if row["objective"] == "masked" else "")


def markdown(head, lines):
    return "\n".join("| " + " | ".join(cells) + " |" if cells else "|---" + "|--:" * (len(head) - 1) + "|"
                     for cells in [head, None, *lines])


def table(rows, precisions):
    head = ["", "PyTorch at its best, tokens/s"]
    for each in precisions:
        head += [f"ours, {each}, tokens/s", "ratio (minimum to maximum)"]
    lines = []
    for row in rows:
        name, peer = best_peer(row["rounds"])
        lines.append([label(row), f"{peer:,.0f} ({name})"])
        for each in precisions:
            of = summary(row["rounds"], each)
            lines[-1] += [f"{of['tokens_per_second']:,.0f}", f"**{of['ratio']:.2f}** ({of['minimum']:.2f} to {of['maximum']:.2f})"]
    return markdown(head, lines)


def peers_table(rows):
    """The median of every peer of every row; of one that was left out what the first round said."""
    names = list(dict.fromkeys(name for row in rows for name in row["rounds"][0]["peers"]))

    def cell(rounds, name):
        timed = [each["peers"][name] for each in rounds if name in each["peers"]]
        if not timed:
            return "–"
        return f"{statistics.median(timed):,.0f}" + (" (round 1)" if len(timed) < len(rounds) else "")

    head = ["PyTorch, tokens/s", *(label(row) for row in rows)]
    return markdown(head, [[name, *(cell(row["rounds"], name) for row in rows)] for name in names])


def notes(rows):
    """What was left out of which row, and how PyTorch compiled."""
    left_out = [f"- {label(row)}: {each['said']}." for row in rows for each in row["left_out"]]
    compiled = [f"- {label(row)}: {name} in {how['first_step_seconds']:.0f} s, for vector instructions {how['vector_instructions']}."
                for row in rows for name, how in row["compiled"].items()]
    parts = [["Left out:", "", *left_out] if left_out else ["No peer was left out."],
             ["Compiled (what PyTorch has in its cache is not compiled again):", "", *compiled] if compiled else []]
    return "\n\n".join("\n".join(part) for part in parts if part)
