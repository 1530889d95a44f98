import { contract } from '../../../truth/contract.ts';
import { accountWorld, openAccount } from '../support/account.ts';
import { ssmCases } from './cases.ts';

contract({
  ...accountWorld,
  area: 'Parameter Store',
  cases: ssmCases,
  open: (signal) => ({ client: openAccount(signal).clients.ssm }),
  notApplicable: new Map([
    [
      'a SecureString shows its KMS key',
      'a run makes no KMS key: one costs a dollar, and is deleted after a week',
    ],
    [
      'a name does not begin with aws or ssm, in any case',
      'a run makes no parameter whose name does not begin with its prefix',
    ],
  ]),
});
