import { contract } from '../../../truth/contract.ts';
import { accountWorld, openAccount } from '../support/account.ts';
import { sqsCases } from './cases.ts';
import { fifoCases } from './fifo-cases.ts';
import { openFifo } from './open-fifo.ts';

contract({
  ...accountWorld,
  area: 'SQS standard queues',
  cases: sqsCases,
  open: (signal) => {
    const { clients, pass } = openAccount(signal);
    return { client: clients.sqs, pass };
  },
  notApplicable: new Map([
    [
      'a name has at most 80 letters, digits, - and _',
      'a run makes no queue whose name does not begin with its prefix',
    ],
  ]),
});

contract({
  ...accountWorld,
  area: 'SQS FIFO queues',
  cases: fifoCases,
  open: (signal) => {
    const { clients, pass } = openAccount(signal);
    return { queue: (attributes) => openFifo(clients.sqs, attributes), pass };
  },
});
