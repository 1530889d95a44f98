import type { Deliver, DeliveryOptions } from '../aws/integration.ts';
import { AwsError } from '../aws/service.ts';
import type { CheckAccess } from './delivery-access.ts';

type Receiver = (arn: string, body: string, options: DeliveryOptions) => void;

export interface Delivery {
  readonly deliver: Deliver;
  /** Receivers by the service of their ARNs: `sqs`, `sns`, `lambda`; added as the services come to be. */
  route(receivers: Readonly<Record<string, Receiver>>): void;
}

/** A service of AWS could not deliver a message. AWS reports that in metrics or not at all; the sandbox reports it to its user. */
export class RefusedDelivery extends Error {
  override readonly name = 'RefusedDelivery';
}

export interface DeliverySettings {
  readonly checkAccess: CheckAccess;
  readonly onRefused?: ((refusal: RefusedDelivery) => void) | undefined;
}

/** Delivers messages from service to service by ARN, if the policy of the target allows it. */
export function createDelivery({ checkAccess, onRefused }: DeliverySettings): Delivery {
  const routes = new Map<string, Receiver>();
  const receiverOf = (targetArn: string): Receiver => {
    const service = targetArn.split(':')[2] ?? '';
    const receiver = routes.get(service);
    if (receiver) return receiver;
    throw new AwsError({
      code: 'ResourceNotFoundException',
      message: `The sandbox delivers nothing to ${service || targetArn}`,
      statusCode: 404,
    });
  };
  return {
    route: (receivers) => {
      for (const [service, receiver] of Object.entries(receivers)) routes.set(service, receiver);
    },
    deliver: (targetArn, body, options) => {
      try {
        const receiver = receiverOf(targetArn);
        checkAccess(targetArn, options.sender);
        receiver(targetArn, body, options);
      } catch (cause) {
        if (cause instanceof AwsError) onRefused?.(refused(targetArn, options, cause));
        throw cause;
      }
    },
  };
}

const refused = (targetArn: string, { sender }: DeliveryOptions, cause: AwsError): RefusedDelivery =>
  new RefusedDelivery(`${sender.sourceArn} could not deliver to ${targetArn}: ${cause.message}`, { cause });
