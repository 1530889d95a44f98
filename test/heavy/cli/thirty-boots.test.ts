import { expect, it } from 'vitest';
import { createMachine, missingTool } from '../../cli/user-data/nodes/machine.ts';
import { textOf } from '../../cli/user-data/nodes/support.ts';
import { kubeconfig, openAccount } from '../../cli/user-data/nodes/wire-account.ts';

it.skipIf(missingTool !== undefined)(
  'Thirty instances that boot at once while Parameter Store throttles all get their credential',
  async () => {
    const account = await openAccount();
    account.put('/drover/prod/bootstrap-kubeconfig', kubeconfig);
    account.refuse((request) => (request <= 90 ? 'ThrottlingException' : undefined));
    const boots = Array.from({ length: 30 }, async () => {
      const [instance, machine] = [await account.launch(), createMachine()];
      const text = await textOf('script', `--kubelet ${machine.at('bin/kubelet')}`);
      const [, script = ''] = /<<'DROVER'\n([\s\S]*?)^DROVER$/m.exec(text) ?? [];
      const { status } = await machine.run(script, instance.environment);
      return `${status}, ${machine.calls('kubelet').length}`;
    });
    expect(new Set(await Promise.all(boots))).toEqual(new Set(['0, 1']));
    expect(account.requests()).toBe(120);
  },
);
