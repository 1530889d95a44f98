/** Opens something on a port; rejects as Node does (`EADDRINUSE`) if it cannot. 0 means any free port. */
export type OpenAt<Opened> = (port: number) => Promise<Opened>;

export interface Opening<Opened> {
  readonly opened: Opened;
  /** The wanted port, which is in use. */
  readonly takenPort?: number;
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/**
 * Opens at the wanted port or, where that is taken, at any that is free.
 *
 * @throws Error that says what to do where the machine does not give the port for another reason.
 */
export async function openAtOrNear<Opened>(
  wantedPort: number,
  open: OpenAt<Opened>,
): Promise<Opening<Opened>> {
  try {
    return { opened: await open(wantedPort) };
  } catch (cause) {
    if (codeOf(cause) === 'EADDRINUSE') return { opened: await open(0), takenPort: wantedPort };
    if (codeOf(cause) !== 'EACCES') throw cause;
    throw new Error(`port ${wantedPort} needs more rights than this user has: take 1024 or above`, {
      cause,
    });
  }
}
