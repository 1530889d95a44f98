/**
 * Makes a value on first use, and keeps it; after a failure the next use tries again. For schemas: making all of them while modules load took a tenth of a cold start.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
