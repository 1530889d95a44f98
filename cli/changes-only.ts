/** Passes on only the texts that differ from the former one, so that a warning is not printed again at each poll. */
export function changesOnly(act: (text: string) => void): (text: string) => void {
  let last: string | undefined;
  return (text) => {
    if (text !== last) act(text);
    last = text;
  };
}
