import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { checkOf } from '../check.ts';

/** The AWS identity with which everything else is read. */
export const identity = checkOf({
  name: 'aws',
  read: async ({ sts, region }) => ({ region, ...(await sts.send(new GetCallerIdentityCommand({}))) }),
  judge: ({ Arn = '', region }) => [{ verdict: 'ok', subject: region, message: `you are ${Arn}` }],
});
