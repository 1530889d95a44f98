import { inspect } from 'node:util';

/**
 * Runs a function that handles a secret. Errors of AWS, API servers and proxies sometimes quote the request. An error that
 * contains the secret, plain or in base64, is replaced by one with only its name, and its message and cause without the secret.
 */
export async function withoutSecret<Result>(secret: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw redacted(error, [secret, Buffer.from(secret).toString('base64')]);
  }
}

function redacted(error: unknown, secrets: readonly string[]): unknown {
  const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  if (!secrets.some((secret) => shown.includes(secret))) return error;
  if (!(error instanceof Error)) return new Error('an error was omitted because it contained a secret');
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), error.message);
  const clean = new Error(
    message,
    error.cause === undefined ? {} : { cause: redacted(error.cause, secrets) },
  );
  clean.name = error.name;
  return clean;
}
