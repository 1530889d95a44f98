import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { registerSnapshotCommands } from './snapshots/commands.ts';
import { registerZoneCommands } from './zone/commands.ts';

/** `drover etcd`: the records, members and snapshots of an etcd cluster. */
export const registerEtcd: RegisterCommand = (program, context) => {
  const etcd = program
    .command('etcd')
    .description('manage the records, members and snapshots of an etcd cluster')
    .addHelpText('after', exitCodesHelp());
  registerZoneCommands(etcd, context);
  registerSnapshotCommands(etcd, context);
};
