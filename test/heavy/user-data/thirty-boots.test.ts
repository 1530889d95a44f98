import { expect, it } from 'vitest';
import { enterInstance } from '../../cli/user-data/nodes/namespace/instance.ts';
import { missingNamespaces } from '../../cli/user-data/nodes/namespace/missing.ts';
import { textOf } from '../../cli/user-data/nodes/support.ts';
import { kubeconfig, openAccount } from '../../cli/user-data/nodes/wire-account.ts';

const outageMilliseconds = 60_000;

it.skipIf(missingNamespaces !== undefined)(
  `Thirty instances that boot at once while Parameter Store throttles for a minute all get their kubeconfig${missingNamespaces === undefined ? '' : ` (skipped: ${missingNamespaces})`}`,
  async () => {
    const account = await openAccount();
    account.put('/drover/prod/bootstrap-kubeconfig', kubeconfig);
    const text = await textOf('script');
    const instances = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const instance = await enterInstance(await account.launch(text));
        await instance.boot();
        return instance;
      }),
    );
    const start = Date.now();
    account.refuse(() => (Date.now() - start < outageMilliseconds ? 'ThrottlingException' : undefined));
    const boots = await Promise.all(
      instances.map(async (instance) => {
        const { status } = await instance.finish('kubelet.service');
        const seconds = Math.floor((Date.now() - start) / 1000);
        return { status, seconds, joined: await instance.read('/var/lib/kubelet/kubeconfig') };
      }),
    );
    expect(new Set(boots.map(({ status, joined }) => `${status} ${joined}`))).toEqual(
      new Set([`0 ${kubeconfig}\n`]),
    );
    // None of them before, and not all of them at one moment.
    const moments = boots.map(({ seconds }) => seconds);
    expect(Math.min(...moments)).toBeGreaterThanOrEqual(60);
    expect(new Set(moments).size).toBeGreaterThan(5);
    // At most ten requests fit into a minute of growing pauses, and one more is answered; a pause of two seconds would make thirty.
    expect(account.requests()).toBeLessThan(30 * 16);
    expect(account.faults).toEqual([]);
  },
  // It waits a minute in real time, and .ci/run gives it a low priority.
  600_000,
);
