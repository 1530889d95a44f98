import type { RegisterCommand } from '../register.ts';
import { registerEtcdUserData } from './etcd/command.ts';

/** `drover user-data`: what launch templates hold. */
export const registerUserData: RegisterCommand = (program, context) => {
  const userData = program
    .command('user-data')
    .description('print the user data of machines, for launch templates');
  registerEtcdUserData(userData, context);
};
