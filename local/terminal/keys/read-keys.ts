/** The part of the standard input that keys come from. */
export interface KeyInput {
  readonly isTTY?: boolean;
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: 'utf8'): unknown;
  on(event: 'data', listener: (chunk: string) => void): unknown;
  off(event: 'data', listener: (chunk: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/**
 * Calls `press` at each key, at once and without an echo.
 *
 * @returns what gives the terminal back.
 */
export function readKeys(input: KeyInput, press: (chunk: string) => void): () => void {
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.on('data', press);
  input.resume();
  let isReading = true;
  return () => {
    if (!isReading) return;
    isReading = false;
    input.off('data', press);
    input.setRawMode(false);
    input.pause();
  };
}
