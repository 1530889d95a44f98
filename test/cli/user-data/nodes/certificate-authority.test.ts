import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificateAuthorityOf } from '../../../../cli/user-data/nodes/certificate-authority.ts';
import { authorityPem, userDataOf } from './support.ts';

const key = '-----BEGIN EC PRIVATE KEY-----\nQUJD\n-----END EC PRIVATE KEY-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const given = async (text: string) => await certificateAuthorityOf(text, async () => '');
const inFile = async (content: string) => await certificateAuthorityOf('./ca.pem', async () => content);

describe('a certificate authority', () => {
  it('is refused with its private key, which would be in the user data', async () => {
    const message = 'contains a private key, which must not be in user data: give only the certificate';
    await expect(inFile(authorityPem + key)).rejects.toThrow(message);
    await expect(given(base64(authorityPem + key))).rejects.toThrow(message);
  });

  it('may be base64 in lines, as base64 prints it', async () => {
    const text = base64(authorityPem);
    const inLines = text.replaceAll(/.{76}/g, '$&\n');
    expect(inLines).toContain('\n');
    expect(await given(`${inLines}\n`)).toBe(text);
  });

  it('may be several certificates, with the comments and line ends of other tools', async () => {
    const bundle = `# of openssl\r\n${authorityPem.replaceAll('\n', '\r\n')}subject=CN = other\n${authorityPem}`;
    expect(await inFile(bundle)).toBe(base64(bundle));
    expect(await given(base64(bundle))).toBe(base64(bundle));
  });

  it('is accepted only if each certificate is whole, wherever it was cut', async () => {
    const lastNeeded = authorityPem.trimEnd().length;
    const pems = fc.constantFrom(authorityPem, authorityPem + authorityPem, `x\n${authorityPem}`);
    await fc.assert(
      fc.asyncProperty(pems, fc.nat(), async (pem, seed) => {
        const encoded = base64(pem);
        const cut = encoded.slice(0, seed % encoded.length);
        const needed = pem.length - authorityPem.length + lastNeeded;
        // The first certificate of two is whole by itself.
        const first = pem.indexOf('-----BEGIN', 1);
        const decoded = Buffer.from(cut, 'base64').toString();
        const isWhole =
          base64(decoded) === cut &&
          (decoded.length >= needed ||
            (first > 2 &&
              decoded.length >= lastNeeded &&
              !decoded.includes('-----BEGIN CERTIFICATE-----', 1)));
        const outcome = given(cut);
        if (isWhole) expect(await outcome).toBe(cut);
        else await expect(outcome).rejects.toThrow('--certificate-authority');
      }),
    );
  });

  it('is refused if any character of its base64 was lost or replaced by one of no base64', async () => {
    const start = authorityPem.indexOf('\n') + 1;
    const end = authorityPem.indexOf('\n-----END');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: start, max: end - 1 }),
        fc.constantFrom('', '*', '=', '-'),
        async (at, other) => {
          fc.pre(authorityPem[at] !== '\n' && authorityPem[at] !== other);
          const broken = authorityPem.slice(0, at) + other + authorityPem.slice(at + 1);
          await expect(inFile(broken)).rejects.toThrow(/cannot be read as a whole/);
        },
      ),
    );
  });

  it.each([
    ['nothing', '', /holds no certificate in PEM/],
    ['a kubeconfig', 'apiVersion: v1\nkind: Config\n', /holds no certificate in PEM/],
    ['the key of it', key, /private key/],
    ['DER', '\u0030\u0082\u0001', /certificate in DER: write it as PEM/],
    ['an empty block', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n', /as a whole/],
    [
      'a second one without its end',
      `${authorityPem}-----BEGIN CERTIFICATE-----\nMII`,
      /certificate 2 of 2 is cut/,
    ],
  ])('is refused as %s', async (_, content, message) => {
    await expect(inFile(content)).rejects.toThrow(message);
  });

  it('ends the command if it was cut, and prints no user data', async () => {
    const line = 'eks-al2023 --cluster prod --endpoint https://x.example --service-cidr 172.20.0.0/16';
    const cut = base64(authorityPem).slice(0, 400);
    expect(await userDataOf(`${line} --certificate-authority ${cut}`)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('its certificate is cut off: -----END CERTIFICATE----- is missing'),
    });
  });
});
