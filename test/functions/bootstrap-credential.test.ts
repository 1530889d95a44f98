import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { create } from '../../functions/bootstrap-credential.ts';
import type { LambdaContext } from '../../shared/base/lambda.ts';
import {
  bootstrapParameter,
  certificateAuthorityData,
  createRotationSandbox,
  server,
} from '../support/credentials/rotation-sandbox.ts';

const context: LambdaContext = {
  awsRequestId: 'request-1',
  functionName: 'drover-test-bootstrap-credential',
  getRemainingTimeInMillis: () => 60_000,
};

function createBench(environment = {}) {
  const sandbox = createRotationSandbox(environment);
  const handle = create(sandbox.host);
  const tokenOf = (): string => parse(sandbox.published() ?? '').users[0].user.token;
  const whoIs = async (token: string) => {
    const answer = await sandbox.kubernetes.sendHttp({
      method: 'POST',
      url: `${server}/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
      timeoutMilliseconds: 1000,
    });
    return { status: answer.status, user: JSON.parse(answer.body).status?.userInfo };
  };
  return { ...sandbox, run: () => handle({}, context), tokenOf, whoIs };
}

describe('bootstrap-credential', () => {
  it('publishes an encrypted kubeconfig that the API server accepts as a bootstrapper', async () => {
    const bench = createBench({ DROVER_BOOTSTRAP_KMS_KEY: 'alias/drover' });
    await bench.run();
    const kubeconfig = parse(bench.published() ?? '');
    expect(kubeconfig.clusters[0].cluster).toEqual({
      server,
      'certificate-authority-data': certificateAuthorityData,
    });
    const token = bench.tokenOf();
    expect((await bench.whoIs(token)).user).toMatchObject({
      username: `system:bootstrap:${token.slice(0, 6)}`,
      groups: expect.arrayContaining(['system:bootstrappers', 'system:bootstrappers:drover:worker']),
    });
    expect(bench.ssm.controls.keyArn(bootstrapParameter)).toContain('drover');
  });

  it('creates a Secret in the form of the API server and its token cleaner', async () => {
    const bench = createBench();
    await bench.run();
    const [secret] = bench.secrets();
    const data = Object.fromEntries(
      Object.entries(secret?.data ?? {}).map(([key, value]) => [
        key,
        Buffer.from(value, 'base64').toString(),
      ]),
    );
    const [id, tokenSecret] = bench.tokenOf().split('.');
    expect(secret).toMatchObject({
      type: 'bootstrap.kubernetes.io/token',
      metadata: {
        name: `bootstrap-token-${id}`,
        namespace: 'kube-system',
        labels: { 'drover.dev/bootstrap': 'worker', 'drover.dev/cluster': 'drover' },
      },
    });
    expect(data).toEqual({
      'token-id': id,
      'token-secret': tokenSecret,
      expiration: new Date(bench.clock.now() + 25 * 3_600_000).toISOString().replace('.000Z', 'Z'),
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:drover:worker',
      description: expect.stringContaining(bootstrapParameter),
    });
  });

  it('keeps, replaces and retires tokens over three days, and the published one is always accepted', async () => {
    const bench = createBench();
    const ids = new Set<string>();
    for (let hour = 0; hour < 72; hour += 1) {
      await bench.run();
      expect((await bench.whoIs(bench.tokenOf())).status).toBe(201);
      ids.add(bench.tokenOf().slice(0, 6));
      expect(bench.secrets().length).toBeLessThanOrEqual(2);
      bench.clock.advance(3600);
    }
    expect(ids.size).toBe(6);
  });

  it('logs one line a run with its action and reason, and measures the age of the published credential', async () => {
    const bench = createBench();
    await bench.run();
    bench.clock.advance(13 * 3600);
    await bench.run();
    const lines = bench.lines.map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ level: 'info', action: 'make', reason: 'nothing is published' });
    expect(lines[1]).toMatchObject({
      Cluster: 'drover',
      BootstrapCredentialAgeSeconds: 46_800,
      BootstrapCredentialOverdueSeconds: 3600,
    });
    expect(lines[2]).toMatchObject({ action: 'make', tokenId: bench.tokenOf().slice(0, 6) });
  });

  it('writes no metric while the credential is not overdue', async () => {
    const bench = createBench();
    for (let hour = 0; hour < 48; hour += 1) {
      await bench.run();
      bench.clock.advance(3600);
    }
    expect(bench.lines.filter((line) => line.includes('_aws'))).toEqual([]);
  });

  it('calls the API server once if nothing is due, five times to rotate, and once for each retired token', async () => {
    const bench = createBench();
    await bench.run();
    const requestsOfRun = async () => {
      bench.kubernetes.requests.reset();
      await bench.run();
      return bench.kubernetes.requests.total().requests;
    };
    expect(await requestsOfRun()).toBe(1);
    bench.clock.advance(12 * 3600);
    expect(await requestsOfRun()).toBe(5);
    bench.clock.advance(3600);
    expect(await requestsOfRun()).toBe(2);
  });

  it('fails, keeps the published credential and measures its age if the API server refuses every call', async () => {
    const bench = createBench();
    await bench.run();
    const before = bench.published();
    bench.clock.advance(13 * 3600);
    bench.kubernetes.setBeforeRequest(() => ({ status: 503, headers: {}, body: 'down' }));
    await expect(bench.run()).rejects.toMatchObject({ name: 'RotationError', step: 'read' });
    expect(bench.published()).toBe(before);
    expect(bench.lines.slice(-2).map((line) => JSON.parse(line))).toMatchObject([
      { BootstrapCredentialAgeSeconds: 46_800, BootstrapCredentialOverdueSeconds: 3600 },
      { level: 'error', message: 'bootstrap credential: failed', role: 'worker' },
    ]);
  });

  it('takes no overlap that is as long as the rotation period: no token would be retired', () => {
    const bench = (overlap: string) =>
      createBench({ DROVER_BOOTSTRAP_ROTATION: '2h', DROVER_BOOTSTRAP_OVERLAP: overlap });
    expect(() => bench('2h')).toThrow(/DROVER_BOOTSTRAP_OVERLAP must be shorter/);
    expect(() => bench('119m')).not.toThrow();
  });

  it('reports every wrong setting at once', () => {
    const { host } = createRotationSandbox({
      DROVER_BOOTSTRAP_ROTATION: '1m',
      DROVER_BOOTSTRAP_GROUPS: 'system:masters',
      DROVER_BOOTSTRAP_SERVER: 'http://nodes.example',
    });
    expect(() => create(host)).toThrow(
      /DROVER_BOOTSTRAP_ROTATION.*DROVER_BOOTSTRAP_GROUPS.*DROVER_BOOTSTRAP_SERVER/,
    );
  });

  it('shows no secret in any line or error, whichever request fails, even if the API server quotes it', async () => {
    for (let struck = 1; struck <= 8; struck += 1) {
      const bench = createBench();
      await bench.run();
      const secrets = new Set([bench.tokenOf().slice(7)]);
      bench.clock.advance(12 * 3600);
      let requests = 0;
      bench.kubernetes.setBeforeRequest((request) => {
        requests += 1;
        const sent = `${request.headers['authorization']} ${request.body ?? ''}`;
        const created = /"token-secret":"([^"]+)"/.exec(sent)?.[1];
        if (created) secrets.add(created);
        return requests === struck
          ? { status: 500, headers: {}, body: JSON.stringify({ message: sent, reason: 'InternalError' }) }
          : undefined;
      });
      const error = await bench.run().catch((error: unknown) => error);
      bench.kubernetes.setBeforeRequest(undefined);
      secrets.add(bench.tokenOf().slice(7));
      const shown = `${bench.lines.join('\n')} ${inspect(error, { depth: Infinity, showHidden: true })}`;
      for (const secret of secrets) expect(shown).not.toContain(secret);
      expect((await bench.whoIs(bench.tokenOf())).status).toBe(201);
    }
  });
});
