import type { RegisterCommand } from '../register.ts';
import { registerEtcdUserData } from './etcd/command.ts';
import { registerExplain } from './explain/command.ts';
import { registerNodeUserData } from './nodes/command.ts';

/** `drover user-data`: what launch templates hold. */
export const registerUserData: RegisterCommand = (program, context) => {
  const userData = registerNodeUserData(program, context);
  registerEtcdUserData(userData, context);
  registerExplain(userData, context);
};
