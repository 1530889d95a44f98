import { AwsError } from '../service.ts';

export const eventsErrors = {
  invalidPattern: (reason: string) =>
    new AwsError({
      code: 'InvalidEventPatternException',
      message: `Event pattern is not valid. Reason: ${reason}`,
    }),
  validation: (message: string) => new AwsError({ code: 'ValidationException', message }),
  ruleNotFound: (name: string, bus: string) =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: `Rule ${name} does not exist on EventBus ${bus}.`,
    }),
  busNotFound: (name: string) =>
    new AwsError({ code: 'ResourceNotFoundException', message: `Event bus ${name} does not exist.` }),
  limitExceeded: (message: string) => new AwsError({ code: 'LimitExceededException', message }),
};
