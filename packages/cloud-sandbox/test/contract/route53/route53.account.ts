import type { VPCRegion } from '@aws-sdk/client-route-53';
import { contract } from '../../../truth/contract.ts';
import { accountWorld, openAccount } from '../support/account.ts';
import { route53Cases } from './cases.ts';

contract({
  ...accountWorld,
  area: 'Route 53',
  cases: route53Cases,
  open: (signal) => {
    const { clients, vpcId, region, pass, close } = openAccount(signal);
    const vpc = { VPCId: vpcId, VPCRegion: region as VPCRegion };
    return { client: clients.route53, vpc, pass, close };
  },
  // A VPC has one private zone of a name.
  close: ({ close }) => close(),
});
