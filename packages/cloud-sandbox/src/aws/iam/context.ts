/** What a request brings for conditions and policy variables; a list for keys of several values. Names are compared without regard to case. */
export type PolicyContext = Readonly<Record<string, string | readonly string[] | undefined>>;

type ContextValue = string | readonly string[];

const lowered = new WeakMap<PolicyContext, ReadonlyMap<string, ContextValue>>();

function index(context: PolicyContext): ReadonlyMap<string, ContextValue> {
  const known = lowered.get(context);
  if (known !== undefined) return known;
  const entries = Object.entries(context).flatMap(([key, value]) =>
    value === undefined ? [] : [[key.toLowerCase(), value] as const],
  );
  const made = new Map(entries);
  lowered.set(context, made);
  return made;
}

export const contextValue = (context: PolicyContext, key: string): ContextValue | undefined =>
  index(context).get(key.toLowerCase());

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
