import type { AwsError } from '../service.ts';
import type { AwsHttpRequest, AwsHttpResponse } from './http.ts';
import type { ClientModule, Operation } from './operation.ts';

export type ProtocolName =
  | 'awsQuery'
  | 'ec2Query'
  | 'awsJson1_0'
  | 'awsJson1_1'
  | 'restJson'
  | 'restXml'
  | 's3Rest';

/** How one service speaks: its SDK client (for the schemas) and its protocol. */
export interface ServiceModel {
  readonly client: ClientModule;
  readonly protocol: ProtocolName;
  /** The namespace of XML answers. */
  readonly xmlNamespace?: string;
  /** SQS speaks JSON and still names its errors, in a header, as its older query protocol did. */
  readonly queryCompatible?: boolean;
  /** Where a service has a name of its own for a refusal. */
  readonly accessDenied?: { readonly code: string; readonly statusCode: number };
}

/** An answer that still has to be put into words. */
export interface Answer {
  readonly model: ServiceModel;
  readonly request: AwsHttpRequest;
  readonly requestId: string;
}

/** One wire protocol, seen from the server. */
export interface Protocol {
  /** The operation that a request names; undefined when it names none. */
  readonly operationName: (request: AwsHttpRequest, model: ServiceModel) => string | undefined;
  /** Throws AwsError when the request cannot be read. */
  readonly decode: (request: AwsHttpRequest, operation: Operation) => Record<string, unknown>;
  readonly encode: (
    answer: Answer & { readonly operation: Operation; readonly output: unknown },
  ) => AwsHttpResponse;
  readonly encodeError: (answer: Answer & { readonly error: AwsError }) => AwsHttpResponse;
  readonly codes: FrontErrorCodes;
}

/** What a front answers before an operation is reached, in the words of the protocol. */
export interface FrontErrorCodes {
  readonly missingToken: string;
  readonly invalidToken: string;
  readonly expiredToken: string;
  readonly invalidSignature: string;
  readonly unknownOperation: string;
  readonly accessDenied: string;
  readonly accessDeniedStatus: number;
  readonly authenticationStatus: number;
  /** Where a signature of another time is called otherwise than `invalidSignature`. */
  readonly late?: LateCodes;
}

interface LateCodes {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  /** How far clocks may be apart. */
  readonly minutes: number;
  /** Of a presigned request that has expired. */
  readonly presigned?: { readonly code: string; readonly message: string };
}
