export interface Flags {
  readonly operands: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

/** `--name value` and `--name=value`; those without a value are `switches`. Pure. */
export function flagsOf(words: readonly string[], switches: readonly string[] = []): Flags {
  const operands: string[] = [];
  const found = new Map<string, string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const [, name, value] = /^(--[\w-]+|-[a-z])(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined) {
      if (!/^\d*[<>]/.test(word)) operands.push(word);
    } else found.set(name, value ?? (switches.includes(name) ? undefined : words[++index]) ?? '');
  }
  return { operands, named: found };
}
