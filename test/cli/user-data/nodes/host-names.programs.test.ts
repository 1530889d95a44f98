import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMachine, missingTool } from './machine.ts';
import { textOf } from './support.ts';
import { kubeconfig, openAccount } from './wire-account.ts';

const scripts = {
  script: async (machine: ReturnType<typeof createMachine>, flags: string) => {
    const text = await textOf('script', `--kubelet ${machine.at('bin/kubelet')} ${flags}`);
    return /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text)?.[1] ?? '';
  },
  kubeadm: async (machine: ReturnType<typeof createMachine>, flags: string) => {
    const files: readonly { path: string; content: string }[] = parse(
      await textOf('kubeadm', flags),
    ).write_files;
    const content = (end: string): string => files.find(({ path }) => path.endsWith(end))?.content ?? '';
    machine.write('etc/kubernetes/drover-kubeadm.yaml', content('drover-kubeadm.yaml'));
    return content('/drover-node');
  },
};

/** A boot on an instance whose metadata service has this value for one item, at its first requests. */
async function bootWith(
  body: string,
  {
    flavour = 'script',
    flags = '',
    item = 'local-hostname',
    requests = Number.POSITIVE_INFINITY,
  }: {
    readonly flavour?: keyof typeof scripts;
    readonly flags?: string;
    readonly item?: string;
    readonly requests?: number;
  },
) {
  const account = await openAccount();
  account.put('/drover/prod/bootstrap-kubeconfig', kubeconfig);
  const [instance, machine] = [await account.launch(), createMachine()];
  let asked = 0;
  account.answerMetadata((path) =>
    path.endsWith(item) && ++asked <= requests ? { status: 200, body } : undefined,
  );
  const { status, log } = await machine.run(await scripts[flavour](machine, flags), instance.environment);
  const joined = {
    script: () =>
      machine
        .calls('kubelet')[0]
        ?.find((flag) => flag.startsWith('--hostname-override='))
        ?.slice('--hostname-override='.length),
    kubeadm: () =>
      parse(machine.read('var/lib/drover-node/kubeadm.yaml') ?? '{}').nodeRegistration?.name as
        | string
        | undefined,
  };
  return { status, log, asked, instance, name: joined[flavour]() };
}

const flavours = Object.keys(scripts) as (keyof typeof scripts)[];

describe.skipIf(missingTool !== undefined).each(flavours)(
  `a host name of DHCP options, in the flavour %s${missingTool === undefined ? '' : ` (skipped: ${missingTool} is not installed)`}`,
  (flavour) => {
    it.each([
      ['with capitals', 'ip-10-0-0-4.CORP.Example', 'ip-10-0-0-4.corp.example'],
      ['of two domains', 'ip-10-0-0-4.ec2.internal Corp.Example', 'ip-10-0-0-4.ec2.internal'],
      [
        'of two domains without a space',
        'ip-10-0-0-4.ec2.internalcorp.example',
        'ip-10-0-0-4.ec2.internalcorp.example',
      ],
      ['without a domain', 'IP-10-0-0-4', 'ip-10-0-0-4'],
    ])('is the name of the Node in lower case: one %s', async (_, hostName, name) => {
      expect(await bootWith(hostName, { flavour })).toMatchObject({ status: 0, name });
    });

    it.each([
      ['an underscore', 'ip-10-0-0-4.corp_lan', 'ip-10-0-0-4.corp_lan'],
      ['a dot at its end', 'ip-10-0-0-4.corp.', 'ip-10-0-0-4.corp.'],
      ['two dots', 'ip-10-0-0-4..corp', 'ip-10-0-0-4..corp'],
      ['a dash before a dot', 'ip-10-0-0-4-.corp', 'ip-10-0-0-4-.corp'],
      ['254 characters', 'a'.repeat(254), 'a'.repeat(253)],
      ['an escape sequence', '\u{1B}[31m', String.raw`$'\E[31m'`],
    ])(
      'ends the boot at once, and is quoted, if no Node may have it: one with %s',
      async (_, hostName, quoted) => {
        const { status, log, asked, name } = await bootWith(hostName, { flavour });
        expect([status, asked, name]).toEqual([78, 1, undefined]);
        expect(log).toContain(
          `no Node may have the name of this instance, ${quoted}: change the domain name in the DHCP options of the VPC, or give drover user-data --node-name instance-id\n`,
        );
      },
    );

    it.each(['ip-10-0-0-4.CORP', 'ip-10-0-0-4.corp_lan', ''])(
      'is not read with --node-name instance-id: %j',
      async (hostName) => {
        const flags = '--node-name instance-id';
        const { status, asked, name, instance } = await bootWith(hostName, { flavour, flags });
        expect([status, asked, name]).toEqual([0, 1, instance.instanceId]);
      },
    );
  },
);

describe.skipIf(missingTool !== undefined)('an instance that waits for its identity', () => {
  it.each([
    ['local-hostname', '', "''"],
    ['instance-id', '<html>', String.raw`\<html\>`],
    ['placement/region', 'EU West', String.raw`EU\ West`],
  ])('says which item it cannot use, and its value: %s', async (item, body, quoted) => {
    const { status, log } = await bootWith(body, { item, requests: 2 });
    expect(status).toBe(0);
    expect(log).toContain(
      `waiting for the instance metadata; it has values that are not those of an instance: ${item} is ${quoted}\n`,
    );
  });
});
