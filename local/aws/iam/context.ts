/** What a request brings for conditions and policy variables. Names are compared without regard to case. */
export type PolicyContext = Readonly<Record<string, string | readonly string[] | undefined>>;

const lowered = new WeakMap<PolicyContext, ReadonlyMap<string, readonly string[]>>();

function index(context: PolicyContext): ReadonlyMap<string, readonly string[]> {
  const known = lowered.get(context);
  if (known !== undefined) return known;
  const entries = Object.entries(context).flatMap(([key, value]) =>
    value === undefined ? [] : [[key.toLowerCase(), [value].flat()] as const],
  );
  const made = new Map(entries);
  lowered.set(context, made);
  return made;
}

export const contextValues = (context: PolicyContext, key: string): readonly string[] | undefined =>
  index(context).get(key.toLowerCase());

const specialVariables = new Set(['*', '?', '$']);

/** A text with its policy variables (`${aws:PrincipalAccount}`) filled in; undefined when one has no value. */
export function substitute(text: string, context: PolicyContext): string | undefined {
  if (!text.includes('${')) return text;
  let complete = true;
  const filled = text.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (specialVariables.has(name)) return name;
    const [value] = contextValues(context, name) ?? [];
    if (value === undefined) complete = false;
    return value ?? '';
  });
  return complete ? filled : undefined;
}

/** `aws:ResourceTag/<key>` and its like, one context key for each tag and prefix. */
export const tagContext = (
  prefixes: readonly string[],
  tags: Readonly<Record<string, string>> | undefined,
): Record<string, string> =>
  Object.fromEntries(
    prefixes.flatMap((prefix) =>
      Object.entries(tags ?? {}).map(([key, value]) => [`${prefix}/${key}`, value] as const),
    ),
  );
