import { X509Certificate } from 'node:crypto';
import { CliError, exitCodes } from '../../exit-codes.ts';

/**
 * The authority as in kubeconfigs: base64 of PEM, also of a file with PEM.
 *
 * @throws CliError if it is not whole certificates, or contains a private key.
 */
export async function certificateAuthorityOf(
  text: string | undefined,
  readFile: (path: string) => Promise<string>,
): Promise<string | undefined> {
  if (text === undefined) return text;
  const encoded = text.replaceAll(/\s/g, '');
  if (!text.startsWith('/') && !text.startsWith('.') && /^[A-Za-z0-9+/]{64,}={0,2}$/.test(encoded)) {
    const decoded = Buffer.from(encoded, 'base64');
    // What `Buffer` reads of base64 that was cut is less than it says: the last character is dropped in silence.
    if (decoded.toString('base64') !== encoded)
      throw refusal('its base64 ends in the middle of a byte, so a part of it is missing');
    refuseUnusable(decoded.toString('latin1'));
    return encoded;
  }
  const pem = await readFile(text).catch((cause: unknown) => {
    throw new CliError(
      `--certificate-authority is neither base64 nor a file that can be read: ${text.slice(0, 80)}`,
      exitCodes.usage,
      cause,
    );
  });
  refuseUnusable(pem);
  return Buffer.from(pem).toString('base64');
}

const refusal = (reason: string): CliError =>
  new CliError(`--certificate-authority is refused: ${reason}`, exitCodes.usage);

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** Kubelets ignore a block of PEM that is not whole, and then trust no API server. */
function refuseUnusable(pem: string): void {
  if (pem.includes('PRIVATE KEY-----'))
    throw new CliError(
      '--certificate-authority contains a private key, which must not be in user data: give only the certificate',
      exitCodes.usage,
    );
  // A sequence, the first byte of every certificate in DER.
  if (pem.startsWith('\x30\x82')) throw refusal('it is a certificate in DER: write it as PEM');
  const [, ...blocks] = pem.split(begin);
  if (blocks.length === 0) throw refusal(`it holds no certificate in PEM, which begins with ${begin}`);
  blocks.forEach((block, index) => {
    const which = blocks.length === 1 ? 'its certificate' : `certificate ${index + 1} of ${blocks.length}`;
    const length = block.indexOf(end);
    if (length < 0) throw refusal(`${which} is cut off: ${end} is missing`);
    if (!isWholeCertificate(block.slice(0, length)))
      throw refusal(`${which} cannot be read as a whole: copy the file again`);
  });
}

/** As strict as the kubelet: the text between the two lines is base64 of one certificate and of nothing else. */
function isWholeCertificate(body: string): boolean {
  const encoded = body.replaceAll(/\s/g, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return false;
  try {
    return new X509Certificate(bytes).raw.length === bytes.length;
  } catch {
    // OpenSSL's reason names its own functions.
    return false;
  }
}
