import type { Deliver, DeliveryOptions } from '../aws/integration.ts';
import { AwsError } from '../aws/service.ts';

type Receiver = (arn: string, body: string, options: DeliveryOptions) => void;

export interface Delivery {
  readonly deliver: Deliver;
  /** Receivers by the service of their ARNs: `sqs`, `sns`, `lambda`; added as the services come to be. */
  route(receivers: Readonly<Record<string, Receiver>>): void;
}

/** Carries messages from service to service by ARN. */
export function createDelivery(): Delivery {
  const routes = new Map<string, Receiver>();
  return {
    route: (receivers) => {
      for (const [service, receiver] of Object.entries(receivers)) routes.set(service, receiver);
    },
    deliver: (targetArn, body, options = {}) => {
      const service = targetArn.split(':')[2] ?? '';
      const receiver = routes.get(service);
      if (receiver) return receiver(targetArn, body, options);
      throw new AwsError({
        code: 'ResourceNotFoundException',
        message: `The sandbox delivers nothing to ${service || targetArn}`,
        statusCode: 404,
      });
    },
  };
}
