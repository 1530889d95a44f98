import { createKubernetes } from '../../../src/kubernetes/kubernetes.ts';
import { createCertificateAuthority } from '../../../src/kubernetes/wire/certificates.ts';
import { serveKubernetes } from '../../../src/kubernetes/wire/server.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createRealClock } from '../../../src/simulation/real-clock.ts';
import type { ApiServerAddress } from './world.ts';

/** The simulated API server on a port of the loopback address, on real time. */
export interface SandboxServer {
  readonly address: ApiServerAddress;
  close(): Promise<void>;
}

export async function startSandboxServer(): Promise<SandboxServer> {
  const clock = createRealClock({ speed: 1 });
  const authority = createCertificateAuthority(clock.now());
  const cluster = createKubernetes({
    clock,
    random: createRandom(5),
    certificateAuthority: authority.certificate,
    signCertificate: authority.sign,
  });
  const server = await serveKubernetes({ handle: cluster.handle, authority, port: 0 });
  clock.start();
  return {
    address: { url: server.url, token: cluster.adminToken, certificateAuthority: authority.certificate },
    close: async () => {
      await server.close();
      clock.stop();
    },
  };
}
