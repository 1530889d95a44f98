import type { KubeconfigAbilities } from './abilities.ts';
import { KubeconfigError } from './error.ts';

type PemKey = 'certificate-authority' | 'client-certificate' | 'client-key';

type PemHolder = Readonly<Partial<Record<PemKey | `${PemKey}-data`, string | undefined>>>;

interface PemQuestion {
  readonly key: PemKey;
  /** The path of the holder in the kubeconfig. */
  readonly field: string;
  readonly abilities: KubeconfigAbilities;
}

/** PEM text from `KEY-data` (base64) or from the file that `KEY` names; the data wins, as in client-go. */
export async function pemOf(
  holder: PemHolder,
  { key, field, abilities }: PemQuestion,
): Promise<string | undefined> {
  const data = holder[`${key}-data`];
  if (data !== undefined) return decodePem(data, `${field}.${key}-data`);
  const path = holder[key];
  if (path === undefined) return undefined;
  if (!abilities.readFile)
    throw new KubeconfigError([`${field}.${key}: no files can be read here; use ${key}-data`]);
  try {
    return await abilities.readFile(path);
  } catch (cause) {
    throw new KubeconfigError([`${field}.${key}: the file cannot be read`], cause);
  }
}

function decodePem(data: string, field: string): string {
  const pem = Buffer.from(data, 'base64').toString('utf8');
  if (!pem.includes('-----BEGIN ')) throw new KubeconfigError([`${field}: is not a PEM text in base64`]);
  return pem;
}

/** The server's address, without a trailing slash. */
export function serverOf(server: string, clusterField: string): string {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  const isPlain = url !== undefined && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain || !['https:', 'http:'].includes(url.protocol))
    throw new KubeconfigError([
      `${clusterField}.server: is not an address such as https://api.example.com:6443`,
    ]);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
