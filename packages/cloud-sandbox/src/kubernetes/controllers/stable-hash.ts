const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a value, the same for equal values: FNV-1a over its JSON, in the letters that Kubernetes uses. */
export function stableHash(value: unknown): string {
  const text = JSON.stringify(canonical(value)) ?? '';
  const halves = [0x811c9dc5, 0x01000193].map((seed) => {
    let hash = seed;
    for (let at = 0; at < text.length; at += 1)
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
    return hash;
  });
  return halves.map((hash) => letters(hash)).join('');
}

function letters(hash: number): string {
  let rest = hash;
  return Array.from({ length: 5 }, () => {
    const letter = alphabet[rest % alphabet.length] ?? '';
    rest = Math.floor(rest / alphabet.length);
    return letter;
  }).join('');
}

/** Clients write the same in another order, and write what is empty or leave it out: `resources: {}`, `env: []`. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value)
    .map(([key, part]) => [key, canonical(part)] as const)
    .filter(([, part]) => part !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
