/**
 * Makes a value when it is first asked for, and keeps it. For schemas: made while modules load, those of everything that may
 * ever arrive were a tenth of a cold start.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
