import { refused, type TokenRefusal } from './token-refusal.ts';

export const tokenPrefix = 'k8s-aws-v1.';

/** As in aws-iam-authenticator (pkg/token): a longer one is refused before it is decoded. */
export const mostTokenBytes = 4096;

/**
 * The URL in the text of a token. Node's own decoder takes padding, line breaks and bits that nobody reads; the text is checked first, so
 * that one token has one spelling.
 */
export function urlInToken(token: string): string | TokenRefusal {
  // A character is a byte at least.
  if (token.length > mostTokenBytes) return refused('length', `it has more than ${mostTokenBytes} bytes`);
  if (!token.startsWith(tokenPrefix)) return refused('prefix', `it does not begin with ${tokenPrefix}`);
  const encoded = token.slice(tokenPrefix.length);
  if (!/^[\w-]+$/.test(encoded)) return refused('encoding', 'it is not base64url without padding');
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded)
    return refused('encoding', 'its base64url ends in bits that mean nothing');
  const url = bytes.toString('latin1');
  return /^[\x21-\x7e]+$/.test(url) ? url : refused('url', 'it has characters that no URL has');
}
