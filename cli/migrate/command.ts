import { exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import { registerMigrateNth } from './nth/command.ts';

/** `drover migrate`: from programs that do what Drover does. */
export const registerMigrate: RegisterCommand = (program, context) => {
  const migrate = program
    .command('migrate')
    .description('hand groups over from another program that drains nodes')
    .addHelpText('after', exitCodesHelp());
  registerMigrateNth(migrate, context);
};
