import type { EtcdCredentials } from '../../src/etcd/gateway-request.ts';
import { createTestAuthority, type TestAuthority, type TestCredential } from '../test-authority.ts';

/** Who asks: with a certificate of the cluster's authority, of another, or with one that has expired. */
export type Caller = 'client' | 'stranger' | 'expired';

const halfAnHour = 1_800_000;

/** What each of them shows to the members of one authority. */
export async function callersOf(
  authority: TestAuthority,
  now: number,
): Promise<Readonly<Record<Caller, EtcdCredentials>>> {
  const stranger = await createTestAuthority('somebody else', now);
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
