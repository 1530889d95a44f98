import type { GetFunctionConcurrencyRequest, GetFunctionConfigurationRequest } from '@aws-sdk/client-lambda';
import type { FunctionWiring } from '../../cloud/wiring.ts';
import { unreservedOf, usualConcurrency } from '../../lambda/concurrency.ts';
import { AwsError, type AwsService } from '../service.ts';

/**
 * The API of AWS Lambda: only the concurrency of the account, and what its functions are configured to, which comes from the template. `deploy` refuses
 * reservations as PutFunctionConcurrency does.
 */
export function createLambdaApi(limit = usualConcurrency) {
  let functions: readonly FunctionWiring[] = [];
  return {
    signingName: 'lambda',
    operations: {
      GetAccountSettings: () => ({
        AccountLimit: {
          ConcurrentExecutions: limit,
          UnreservedConcurrentExecutions: unreservedOf(limit, functions),
        },
      }),
      /** https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConcurrency.html */
      GetFunctionConcurrency: ({ FunctionName: name = '' }: GetFunctionConcurrencyRequest) => {
        const { reservedConcurrency } = findFunction(functions, name);
        return reservedConcurrency === undefined ? {} : { ReservedConcurrentExecutions: reservedConcurrency };
      },
      /** https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html */
      GetFunctionConfiguration: ({ FunctionName: name = '' }: GetFunctionConfigurationRequest) => {
        const found = findFunction(functions, name);
        return {
          FunctionName: found.functionName,
          FunctionArn: found.functionArn,
          Role: found.roleArn,
          Handler: found.handler,
          Timeout: found.timeoutSeconds,
          MemorySize: found.memoryMegabytes,
          Environment: { Variables: { ...found.environment } },
        };
      },
    },
    controls: {
      deploy: (deployed: readonly FunctionWiring[]): void => {
        const unreserved = unreservedOf(limit, deployed);
        // "You can reserve up to the Unreserved account concurrency value minus 100"; an account with less has its whole limit as the minimum.
        const minimum = Math.min(100, limit);
        if (unreserved < minimum)
          throw new AwsError({
            code: 'InvalidParameterValueException',
            message: `Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [${minimum}].`,
            statusCode: 400,
          });
        functions = deployed;
      },
    },
  } satisfies AwsService & { readonly controls: unknown };
}

/** By its name or its ARN. */
function findFunction(functions: readonly FunctionWiring[], name: string): FunctionWiring {
  const found = functions.find(
    ({ functionName, functionArn }) => functionName === name || functionArn === name,
  );
  if (found !== undefined) return found;
  throw new AwsError({
    code: 'ResourceNotFoundException',
    message: `Function not found: ${name}`,
    statusCode: 404,
  });
}
