import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { s3AddressOf } from '../../../../cli/pki/s3-address.ts';
import { memberTemplate } from '../../../../cli/user-data/etcd/member-template.ts';
import { runDrover } from '../../run-drover.ts';
import { createMachine, missingTool } from './machine.ts';
import { noMachine, userDataOf } from './support.ts';
import { openAccount } from './wire-account.ts';

const usual =
  '--endpoint https://api.example.com:6443 --service-cidr 10.96.0.0/12 --etcd beside --etcd-domain etcd.example.internal';

const printed = (flags: string) =>
  userDataOf(
    `kubeadm --cluster prod --no-check --kubernetes-version 1.34.4 --gzip --role control-plane ${flags}`,
  );

interface CloudConfig {
  readonly write_files: readonly { readonly path: string; readonly content: string }[];
  readonly runcmd: readonly (readonly string[])[];
}

async function cloudConfig(flags = usual): Promise<CloudConfig> {
  const { stdout, stderr } = await printed(flags);
  if (stdout === '') throw new Error(stderr);
  const bytes = Buffer.from(stdout, 'base64');
  expect(bytes.length).toBeLessThan(16_384);
  return parse(gunzipSync(bytes).toString());
}

const fileOf = ({ write_files: files }: CloudConfig, end: string): string =>
  files.find(({ path }) => path.endsWith(end))?.content ?? '';

describe('the user data of a control plane with etcd beside it', () => {
  it('is the same for every instance: each one initializes, on the member of its own', async () => {
    const data = await cloudConfig();
    const documents = parseAllDocuments(fileOf(data, 'drover-kubeadm.yaml')).map((one) => one.toJS());
    expect(documents.map(({ kind }) => kind)).toEqual([
      'InitConfiguration',
      'ClusterConfiguration',
      'KubeletConfiguration',
    ]);
    expect(documents[1]).toHaveProperty('etcd.external.endpoints', ['https://127.0.0.1:2379']);
    expect(fileOf(data, 'drover-node')).not.toContain('etcd/ca.key');
  });

  it('starts etcd as on instances of its own, with data outside the directory of kubeadm', async () => {
    const data = await cloudConfig();
    const script = fileOf(data, 'drover-etcd');
    expect(script).toContain("readonly domain='etcd.example.internal'");
    expect(script).toContain("readonly data_directory='/var/lib/drover-etcd/data'");
    expect(script.split('\n').slice(-4)).toEqual((await memberTemplate()).split('\n').slice(-4));
    expect(fileOf(data, 'etcd.service')).toContain('RequiresMountsFor=/var/lib/drover-etcd/data');
    expect(data.runcmd).toContainEqual(['systemctl', 'enable', 'etcd.service']);
  });

  it.each([
    [`${usual} --init`, '--init is refused with --etcd beside'],
    [`${usual} --etcd-endpoint https://10.0.0.7:2379`, '--etcd-endpoint is refused with --etcd beside'],
    [usual.replace(/--etcd-domain \S+/, ''), '--etcd beside and --etcd-domain belong together'],
    [usual.replace('api.example.com:6443', 'api.example.com'), '--endpoint needs the port 6443'],
    [usual.replace('etcd.example.internal', 'etcd'), 'write the discovery domain of etcd'],
    [usual.replace('--etcd beside', ''), '--etcd beside and --etcd-domain belong together'],
    [`${usual} --s3 s3://keys/pki --parameter-prefix /x`, 'give --parameter-prefix or --s3, not both'],
    [`${usual} --s3 s3://keys`, 'write s3://BUCKET/PREFIX'],
  ])('is refused: %s', async (flags, why) => {
    expect(await printed(flags)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });

  // https://github.com/kubernetes/kubernetes/pull/111512: kubeadm refuses the phase without the tokens, and a name that it does not know.
  it.each([
    ['1.34.4', 'upload-config,bootstrap-token,addon,show-join-command'],
    ['1.25.16', 'upload-config,bootstrap-token,addon'],
  ])(
    'leaves out the phases that depend on those that run once, as far as kubeadm %s has them',
    async (version, phases) => {
      const { stdout } = await printed(
        usual.replace('--endpoint', `--kubernetes-version ${version} --endpoint`),
      );
      const data: CloudConfig = parse(gunzipSync(Buffer.from(stdout, 'base64')).toString());
      expect(fileOf(data, 'drover-node')).toContain(`readonly init_flags='--skip-phases=${phases}'`);
    },
  );

  it('is not for workers', async () => {
    const { stderr } = await printed(usual.replace('--etcd', '--role worker --etcd'));
    expect(stderr).toContain('--init needs --role control-plane');
  });
});

const pkiFiles = [
  'ca.crt',
  'ca.key',
  'sa.key',
  'sa.pub',
  'front-proxy-ca.crt',
  'front-proxy-client.crt',
  'front-proxy-client.key',
  'etcd/ca.crt',
  'apiserver-etcd-client.crt',
  'apiserver-etcd-client.key',
];

type Account = Awaited<ReturnType<typeof openAccount>>;

/** What `drover pki policy` prints for the role of these instances. */
async function policyOf(flags: string): Promise<object> {
  const { stdout, stderr } = await runDrover(
    `pki policy --cluster prod --role control-plane --etcd beside ${flags}`,
    noMachine,
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

function publish({ account, put }: Account, s3: string | undefined): void {
  const text = (file: string) => `-----BEGIN ${file}-----`;
  if (s3 === undefined) return pkiFiles.forEach((file) => put(`/drover/prod/pki/${file}`, text(file)));
  const { bucket: Bucket, prefix } = s3AddressOf(s3) ?? { bucket: '', prefix: '' };
  account.s3.operations.CreateBucket({ Bucket });
  for (const file of pkiFiles)
    account.s3.operations.PutObject({ Bucket, Key: `${prefix}/${file}`, Body: Buffer.from(text(file)) });
}

/**
 * An instance whose etcd votes after so many calls, and whose API server answers this status when asked for kubeadm's configuration, after
 * so many refusals.
 */
async function boot({
  votesAfter = 0,
  status = '404',
  refusals = 0,
  server = 'https://10.0.0.7:6443',
  s3 = undefined as string | undefined,
} = {}) {
  const account = await openAccount(s3 === undefined ? {} : { policy: await policyOf(`--s3 ${s3}`) });
  const [instance, machine] = [await account.launch(), createMachine()];
  publish(account, s3);
  const data = await cloudConfig(s3 === undefined ? usual : `${usual} --s3 ${s3}`);
  machine.write('etc/kubernetes/drover-kubeadm.yaml', fileOf(data, 'drover-kubeadm.yaml'));
  machine.write('status', status);
  machine.program(
    'curl',
    `case "\${!#}" in
  https://127.0.0.1:2379/v3/kv/range)
    echo x >>${machine.at('reads')}
    (($(wc -l <${machine.at('reads')}) > ${votesAfter})) || { echo 'the requested URL returned error: 400' >&2; exit 22; } ;;
  https://*:6443/*)
    echo "\${!#}" >>${machine.at('asked')}
    if (($(wc -l <${machine.at('asked')}) > ${refusals})); then cat ${machine.at('status')}; else printf 403; fi ;;
  *) exec ${machine.original('curl')} "$@" ;;
esac`,
  );
  machine.program('wc', `exec ${machine.original('wc')} "$@"`);
  machine.program('systemctl', `echo "$*" >>${machine.at('systemctl-calls')}`);
  machine.program(
    'kubeadm',
    `echo "$*" >>${machine.at('phases')}; [[ $1 != init || $2 == phase ]] || echo '    server: ${server}' >${machine.at('etc/kubernetes/kubelet.conf')}`,
  );
  const run = () => machine.run(fileOf(data, 'drover-node'), instance.environment);
  const phases = (): readonly string[] =>
    (machine.read('phases') ?? '')
      .trim()
      .split('\n')
      .map((line) => line.replace(/ --config=\S+/, ''));
  return { account, machine, run, phases };
}

const endpoint = 'https://api.example.com:6443';
const init = 'init --skip-phases=upload-config,bootstrap-token,addon,show-join-command';
const founding = [
  'init phase upload-config kubelet',
  'init phase bootstrap-token',
  'init phase addon all',
  'init phase upload-config kubeadm',
];

describe.skipIf(missingTool !== undefined)('an instance of a control plane with etcd beside it', () => {
  // https://github.com/kubernetes/kubeadm/issues/13: a second kubeadm init on the data of the first.
  it('writes what a cluster has once, and its configuration last, if the cluster has none', async () => {
    const { machine, run, phases } = await boot();
    expect(await run()).toMatchObject({ status: 0 });
    expect(phases()).toEqual([init, ...founding]);
    // https://github.com/kubernetes/kubeadm/issues/2271: kubeadm points the kubelet at the API server beside it.
    expect(machine.read('etc/kubernetes/kubelet.conf')).toBe(`    server: ${endpoint}\n`);
    expect(machine.read('systemctl-calls')).toBe('restart kubelet.service\n');
    expect(machine.read('asked')).toMatch(
      /:6443\/api\/v1\/namespaces\/kube-system\/configmaps\/kubeadm-config/,
    );
  });

  it('asks again while its API server, which has just started, refuses the answer', async () => {
    const { machine, run, phases } = await boot({ refusals: 3 });
    expect(await run()).toMatchObject({ status: 0 });
    expect(machine.read('asked')?.trim().split('\n')).toHaveLength(4);
    expect(phases()).toEqual([init, ...founding]);
  });

  it('starts over without etcd of kubeadm if its API server refuses the answer for two minutes', async () => {
    const { machine, run, phases } = await boot({ status: '403' });
    expect(await run()).toMatchObject({
      status: 1,
      log: expect.stringContaining('its API server answers 403'),
    });
    // The first fetch waits for a random time of up to ten seconds.
    expect(machine.slept()).toBeGreaterThanOrEqual(120);
    machine.write('status', '404');
    expect(await run()).toMatchObject({ status: 0 });
    expect(phases()).toEqual([init, 'reset --force --skip-phases=remove-etcd-member', init, ...founding]);
  });

  it('waits until its member votes, and writes nothing into a cluster that has everything', async () => {
    const { machine, run, phases } = await boot({ votesAfter: 3, status: '200', server: endpoint });
    const { status, log } = await run();
    expect([status, phases()]).toEqual([0, [init]]);
    expect(log).toContain('waiting for etcd on this instance, which must vote');
    expect(machine.read('systemctl-calls')).toBeUndefined();
  });

  it('reads its certificates from S3 with the policy of drover pki policy', async () => {
    const { machine, run, phases } = await boot({ s3: 's3://prod-keys/clusters/prod/pki', status: '200' });
    expect(await run()).toMatchObject({ status: 0 });
    expect(phases()).toEqual([init]);
    for (const file of pkiFiles)
      expect(machine.read(`etc/kubernetes/pki/${file}`)).toBe(`-----BEGIN ${file}-----`);
    expect(machine.mode('etc/kubernetes/pki/ca.key')).toBe(0o600);
  });

  it('is denied what is below another prefix, and says what to check', async () => {
    const { account, run } = await boot({ s3: 's3://prod-keys/clusters/prod/pki' });
    account.account.iam.putRole({
      roleName: 'worker',
      policies: [await policyOf('--s3 s3://prod-keys/clusters/pro')],
      trustPolicy: { Version: '2012-10-17', Statement: [] },
    });
    const { status, log } = await run();
    expect(status).toBe(78);
    expect(log).toMatch(
      /clusters\/prod\/pki\/ca\.crt could not be read for 900 s: .*403.*s3:GetObject, kms:Decrypt/,
    );
  });
});
