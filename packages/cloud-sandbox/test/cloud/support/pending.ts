/** A call under way, and what has become of it so far. */
export function pendingOf<Answer>(call: Promise<Answer>) {
  let end: { readonly answer?: Answer; readonly error?: unknown } | undefined;
  const follow = async (): Promise<void> => {
    try {
      end = { answer: await call };
    } catch (error) {
      end = { error };
    }
  };
  void follow();
  return {
    hasEnded: () => end !== undefined,
    answer: () => end?.answer,
    error: () => end?.error,
  };
}
