/** Rejects with the first failure, but only after every call has ended: no call may act after its pass has ended. */
export async function allSettledOrThrow(calls: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(calls);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
