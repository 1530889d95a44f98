/** The body of a request of the AWS SDK as text. Its bytes warn if they are taken for a string, also by `Buffer.from`. */
export function bodyText(body: unknown): string {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  return typeof body === 'string' ? body : '';
}
