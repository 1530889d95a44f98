import type { EtcdCredentials } from '../../src/etcd/gateway-request.ts';
import { createTestAuthority, type TestAuthority, type TestCredential } from '../test-authority.ts';

/** A client with a valid certificate, a stranger with a certificate of another authority, a client whose certificate has expired. */
export type Caller = 'client' | 'stranger' | 'expired';

const halfAnHour = 1_800_000;

/** The credentials that each caller presents to the members of `authority`. */
export async function callersOf(
  authority: TestAuthority,
  now: number,
): Promise<Readonly<Record<Caller, EtcdCredentials>>> {
  const stranger = await createTestAuthority('another authority', now);
  const credentials = ({ certificate, key }: TestCredential): EtcdCredentials => ({
    certificateAuthority: authority.certificate,
    clientCertificate: certificate,
    clientKey: key,
  });
  const commonName = 'drover';
  const validUntil = new Date(now - halfAnHour);
  return {
    client: credentials(await authority.issue({ commonName })),
    stranger: credentials(await stranger.issue({ commonName })),
    expired: credentials(await authority.issue({ commonName, validUntil })),
  };
}
