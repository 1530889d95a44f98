import { GetAccountSettingsCommand } from '@aws-sdk/client-lambda';
import { checkOf, type Finding } from '../check.ts';

interface Concurrency {
  readonly region: string;
  /** Executions at once that functions without a share of their own may have. */
  readonly unreserved: number;
  readonly limit: number;
}

/** Maximum concurrency of the queues' mappings (intake 5, node-leaving 50, node-joining 50, etcd-membership 2), and one for each schedule. */
const wanted = 110;
/** With fewer, intake and one schedule are enough to throttle the drains. */
const needed = 10;

/** New accounts may run so few functions at once that Lambda throttles Drover's. */
export const concurrency = checkOf({
  name: 'concurrency',
  read: async ({ lambda, region }): Promise<Concurrency> => {
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } =
      AccountLimit ?? {};
    return { region, limit, unreserved };
  },
  judge: (found) => [judgeConcurrency(found)],
});

/** Pure. */
export function judgeConcurrency({ region: subject, unreserved, limit }: Concurrency): Finding {
  const message = `functions without a reserved share may run ${unreserved} times at once, of ${limit} in the account`;
  if (unreserved >= wanted) return { verdict: 'ok', subject, message };
  return {
    verdict: unreserved < needed ? 'fix' : 'advice',
    subject,
    message: `${message}: Drover uses up to ${wanted} while many nodes leave and join`,
    command:
      'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
  };
}
