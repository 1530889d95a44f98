/**
 * Makes a value on first use, and keeps it; after a failure, also of a promise, the next use tries again. For schemas: making all of them while
 * modules load took a tenth of a cold start.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    if (made) return made.value;
    const making = { value: make() };
    made = making;
    // The failure itself is for those who wait for it.
    if (making.value instanceof Promise) making.value.catch(() => void (made = undefined));
    return making.value;
  };
}
