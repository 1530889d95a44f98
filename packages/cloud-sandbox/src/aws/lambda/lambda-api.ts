import type { AwsService } from '../service.ts';

/** The default of an account that has been used for a while; a new one may have 10 (Lambda developer guide, quotas). */
const concurrentExecutions = 1000;

/**
 * The API of AWS Lambda: only GetAccountSettings, for an account in which no function reserves concurrency. Functions come from the
 * template.
 */
export const createLambdaApi = () =>
  ({
    signingName: 'lambda',
    operations: {
      GetAccountSettings: () => ({
        AccountLimit: {
          ConcurrentExecutions: concurrentExecutions,
          UnreservedConcurrentExecutions: concurrentExecutions,
        },
      }),
    },
  }) satisfies AwsService;
