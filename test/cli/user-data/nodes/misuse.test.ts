import { describe, expect, it } from 'vitest';
import { authority, foundingFlags, textOf, userDataOf, usualFlags } from './support.ts';

describe('a flag that would do nothing', () => {
  it.each([
    ['eks-al2023', '--parameter /x', /--parameter is refused: the node joins with IAM/],
    ['kubeadm', `${foundingFlags} --parameter /x`, /--parameter is refused: .*--init/],
    ['kubeadm', '--parameter-prefix /x', /--parameter-prefix is refused: only control planes/],
    ['eks-al2023', '--fetch-timeout 5m', /--fetch-timeout is refused: a boot reads no parameter here/],
    ['eks-al2', '--spread 30s', /--spread is refused: a boot reads no parameter here/],
    ['bottlerocket', '--spread 10s', /--spread is refused/],
    ['bottlerocket', '--fetch-timeout 15m', /--fetch-timeout is refused/],
    [
      'script',
      `--credential iam --endpoint https://api.example.com --certificate-authority ${authority} --spread 30s`,
      /--spread is refused/,
    ],
    ['script', '--label a..b/x=y', /--label "a\.\.b\/x=y": write a key/],
    ['script', '--taint a.-b/x:NoExecute', /--taint "a\.-b\/x:NoExecute": write a key/],
    ['script', '--label drover.dev/leaving=x', /--label "drover\.dev\/leaving=x": keys below drover\.dev/],
    [
      'script',
      '--taint drover.dev/x:NoExecute',
      /--taint "drover\.dev\/x:NoExecute": keys below drover\.dev/,
    ],
    ['script', '--max-pods 0', /--max-pods: write a whole number from 1 to 10000\n/],
    ['script', '--fetch-timeout 5s', /--fetch-timeout: write whole seconds from 60 to 86400\n/],
    [
      'script',
      '--max-pods 20 --kubelet-flag max-pods=30',
      /--kubelet-flag max-pods is refused beside --max-pods/,
    ],
    ['kubeadm', '--kubelet-flag v=2 --kubelet-flag v=4', /--kubelet-flag v is given twice/],
    // kubernetes-sigs/kubespray#13125, Azure/AKSFlexNode#57, sapcc/kubernikus#1078
    [
      'kubeadm',
      '--kubernetes-version 1.35.0 --kubelet-flag pod-infra-container-image=registry.example.com/pause:3.10',
      /--kubelet-flag pod-infra-container-image is refused: kubelets have no such flag from Kubernetes 1\.35 on/,
    ],
    [
      'kubeadm',
      '--kubernetes-version 1.37 --kubelet-flag global-housekeeping-interval=1m',
      /--kubelet-flag global-housekeeping-interval is refused: .* from Kubernetes 1\.37 on/,
    ],
    ['eks-al2023', '--cluster prod.example', /--cluster prod\.example is refused: .*no dot/],
    ['eks-al2', '--cluster prod.example', /--cluster prod\.example is refused: .*no dot/],
    ['bottlerocket', '--cluster prod.example', /--cluster prod\.example is refused: .*no dot/],
    ['script', '--json', /--json belongs to --new-version-of/],
    ['script', '--launch-template --json', /--json belongs to --new-version-of/],
    ['script', '--prefix-delegation', /--prefix-delegation belongs to --instance-type/],
    ['script', '--new-version-of x --launch-template', /--launch-template or --new-version-of, not both/],
    ['script', '--label a=b --label a=c', /--label: .*twice/],
    ['script', '--taint a=b:NoExecute --taint a=c:NoExecute', /--taint: .*twice/],
  ])('is refused: %s %s', async (flavour, flags, reason) => {
    const line = `${flavour} --cluster prod --no-check ${usualFlags[flavour]} ${flags}`;
    expect(await userDataOf(line)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(reason),
    });
  });
});

describe('an address that no program can read', () => {
  it.each([
    ['--endpoint https://api.example.com:99999', /--endpoint: write the address/],
    [
      '--etcd-endpoint https://1.2.3.4.5:2379',
      /--etcd-endpoint "https:\/\/1\.2\.3\.4\.5:2379": write members/,
    ],
  ])('is refused: %s', async (flag, message) => {
    const { exitCode, stderr } = await userDataOf(
      `kubeadm --cluster prod --no-check --kubernetes-version 1.34.4 ${foundingFlags} ${flag}`,
    );
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('an address of the cluster’s DNS', () => {
  const run = async (flags: string) => await userDataOf(`script --cluster prod --no-check ${flags}`);

  it.each([
    ['10.96.0.0/12', '10.112.0.10'],
    ['10.96.0.0/12', 'fd00:10:96::a'],
    ['fd00:10:96::/108', 'fd00:10:97::a'],
    ['fd00:10:96::/108', '10.96.0.10'],
    ['fd00:10:96::/108', 'fd00::10.96.0.10'],
  ])('is refused outside the services %s: %s', async (services, address) => {
    expect(await run(`--service-cidr ${services} --cluster-dns ${address}`)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`--cluster-dns: ${address} is outside --service-cidr`),
    });
  });

  it.each([
    ['10.96.0.0/12', '10.96.0.53'],
    ['fd00:10:96::/108', 'fd00:10:96::53'],
    // NodeLocal DNSCache.
    ['10.96.0.0/12', '169.254.20.10'],
  ])('may be another one of the services %s, or one of the node: %s', async (services, address) => {
    const { exitCode, stdout } = await run(`--service-cidr ${services} --cluster-dns ${address}`);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`clusterDNS:\n  - ${address}\n`)]);
  });
});

describe('several addresses of the cluster’s DNS', () => {
  it.each([
    ['kubeadm', `${foundingFlags} `, /clusterDNS:\n +- 10\.96\.0\.53\n +- 169\.254\.20\.10\n/],
    ['script', '--service-cidr 10.96.0.0/12 ', /clusterDNS:\n +- 10\.96\.0\.53\n +- 169\.254\.20\.10\n/],
    ['eks-al2023', '', /clusterDNS:\n +- 172\.20\.0\.53\n +- 169\.254\.20\.10\n/],
    ['eks-al2', '', /--kubelet-extra-args '--cluster-dns=172\.20\.0\.53,169\.254\.20\.10'/],
    ['bottlerocket', '', /"cluster-dns-ip" = \["172\.20\.0\.53","169\.254\.20\.10"\]\n/],
  ])('are all used, in their order: %s', async (flavour, flags, text) => {
    const first = flags === '' ? '172.20.0.53' : '10.96.0.53';
    const twice = await textOf(flavour, `${flags}--cluster-dns ${first} --cluster-dns 169.254.20.10`);
    expect(twice).toMatch(text);
    expect(await textOf(flavour, `${flags}--cluster-dns ${first},169.254.20.10`)).toBe(twice);
  });

  it.each([
    ['10.96.0.53,', /--cluster-dns "": write an IPv4 or IPv6 address/],
    ['10.96.0.53,10.96.0.53', /--cluster-dns: an address is given twice/],
    ['10.96.0.1,10.96.0.2,10.96.0.3,10.96.0.4', /--cluster-dns: give three addresses at most/],
    ['10.96.0.53,192.0.2.1', /--cluster-dns: 192\.0\.2\.1 is outside --service-cidr/],
    ['10.96.0.53 --kubelet-flag cluster-dns=10.96.0.9', /--kubelet-flag cluster-dns is refused beside/],
  ])('are refused: %s', async (addresses, message) => {
    const line = `script --cluster prod --no-check --service-cidr 10.96.0.0/12 --cluster-dns ${addresses}`;
    expect(await userDataOf(line)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
});

describe('services that are not a CIDR block', () => {
  it.each(['foo', 'fd00::xyz/64', '10.96.0.1/12', '10.96.0.0/99'])(
    'are the only error, whatever else depends on them: %s',
    async (services) => {
      const flags = `--service-cidr ${services} --vpc-cidr 10.0.0.0/8 --cluster-dns 192.0.2.1`;
      expect(await userDataOf(`script --cluster prod --no-check ${flags}`)).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: 'drover: --service-cidr: write a CIDR block such as 10.96.0.0/12 or fd00:10:96::/108\n',
      });
    },
  );
});

describe('a taint of Bottlerocket', () => {
  it('may have the name of something that every object of JavaScript has', async () => {
    const text = await textOf(
      'bottlerocket',
      '--taint constructor=x:NoSchedule --taint toString=y:NoExecute',
    );
    expect(text).toContain('"constructor" = ["x:NoSchedule"]\n"toString" = ["y:NoExecute"]\n');
  });
});

describe('a kubelet without an address of the cluster’s DNS', () => {
  it.each(['script', 'flatcar', 'fedora-coreos'])(
    'is warned of, beside the user data: %s',
    async (flavour) => {
      const run = async (flags: string) => await userDataOf(`${flavour} --cluster prod --no-check ${flags}`);
      const without = await run('');
      expect(without).toMatchObject({
        exitCode: 0,
        stderr: expect.stringMatching(
          /pods .* find no services by name: give --service-cidr or --cluster-dns/,
        ),
      });
      expect(without.stdout).not.toContain('--cluster-dns');
      expect((await run('--service-cidr 10.96.0.0/12')).stderr).toBe('');
      expect((await run('--cluster-dns fd00::a')).stderr).toBe('');
    },
  );
});
