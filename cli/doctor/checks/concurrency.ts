import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { messageOf } from '../../../shared/base/message-of.ts';
import { checkOf, type Finding } from '../check.ts';
import type { DoctorContext } from '../doctor-context.ts';

interface ObservedConcurrency {
  readonly region: string;
  /** Concurrent executions that functions without reserved concurrency share. */
  readonly unreserved: number;
  readonly limit: number;
  /** Of node-leaving, by the parameter `passConcurrency`; undefined if it shares the account's concurrency. */
  readonly reserved: number | undefined;
  /** Why it could not be read. */
  readonly unread?: string;
}

/**
 * What the functions that make nodes join and leave use at most: the maximum concurrency of their queues' mappings (node-leaving and
 * node-joining 50 each), and 20 for the others. deploy/pass-concurrency.yml reserves as much with passConcurrency: 50.
 */
const wanted = 120;
/** With fewer, intake and one schedule are enough to throttle the drains. */
const needed = 10;
/** What the throttle of an HTTP API's stage lets through at once, for each of the scale API and the token webhook. */
const floodOfApis = 2 * 200;

/** Whether Lambda runs the functions of passes when many nodes leave and join, or while something floods an HTTP API. */
export const concurrency = checkOf({
  name: 'concurrency',
  read,
  judge: (found) => [judgeConcurrency(found)],
});

async function read(context: DoctorContext): Promise<ObservedConcurrency> {
  const { lambda, region } = context;
  const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
  const { ConcurrentExecutions: limit = 0, UnreservedConcurrentExecutions: unreserved = limit } =
    AccountLimit ?? {};
  return { region, limit, unreserved, ...(await reservedOf(context)) };
}

/** The account's own numbers are worth a finding without this one. */
async function reservedOf({
  lambda,
  stage,
}: DoctorContext): Promise<Pick<ObservedConcurrency, 'reserved' | 'unread'>> {
  try {
    const FunctionName = `drover-${await stage()}-node-leaving`;
    const { ReservedConcurrentExecutions: reserved } = await lambda.send(
      new GetFunctionConcurrencyCommand({ FunctionName }),
    );
    return { reserved };
  } catch (error) {
    return { reserved: undefined, unread: messageOf(error) };
  }
}

/** Pure. */
export function judgeConcurrency({
  region: subject,
  unreserved,
  limit,
  reserved,
  unread,
}: ObservedConcurrency): Finding {
  const shared = `functions without reserved concurrency may run ${unreserved} times at once, of ${limit} in the account`;
  if (reserved !== undefined)
    return {
      verdict: 'ok',
      subject,
      message: `node-leaving and node-joining have ${reserved} concurrent executions each; ${shared}`,
    };
  const message =
    unread === undefined
      ? shared
      : `${shared}; the reserved concurrency of node-leaving could not be read: ${unread}`;
  if (unreserved < wanted)
    return {
      verdict: unreserved < needed ? 'fix' : 'advice',
      subject,
      message: `${message}: Drover uses up to ${wanted} while many nodes leave and join`,
      command: raiseQuota,
    };
  if (unreserved >= wanted + floodOfApis) return { verdict: 'ok', subject, message };
  // Lambda keeps 100 unreserved.
  const mayReserve = unreserved >= wanted + 100;
  return {
    verdict: 'advice',
    subject,
    message: `${message}: a flood of calls to the scale API or the token webhook may take what passes need. ${
      mayReserve ? 'Set' : 'Raise the quota, then set'
    } passConcurrency: 50 in the file of the stage`,
    ...(!mayReserve && { command: raiseQuota }),
  };
}

const raiseQuota =
  'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000';
