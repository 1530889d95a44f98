import { AwsError } from './aws-error.ts';
import { encodeQuery, type QueryDialect } from './query.ts';
import { type Answers, type AwsApi, post, type Service } from './service.ts';
import { readShape } from './shape.ts';
import { parseXml, type XmlElement, XmlError, xmlReader } from './xml.ts';

export interface QueryService<Shapes> extends Service {
  /** Of the API: `2011-01-01`. */
  readonly version: string;
  readonly dialect: QueryDialect;
  readonly answers: Shapes;
}

/** A service that is asked by a form and answers in XML: AWS's Query protocol and EC2's dialect of it. */
export function queryApi<Inputs, Shapes extends Answers<Inputs>>(
  service: QueryService<Shapes>,
): AwsApi<Inputs, Shapes> {
  const { version, dialect, answers } = service;
  return {
    call: async (operation, input) => {
      const { statusCode, headers, body } = await post(service, {
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: encodeQuery({ Action: operation, Version: version, ...input }, dialect),
      });
      if (statusCode >= 300) throw toError(statusCode, headers, body);
      const document = parseXml(body);
      const result =
        dialect === 'ec2' ? document : (xmlReader.member(document, `${operation}Result`) ?? document);
      return readShape(answers[operation], result, xmlReader) as never;
    },
  };
}

const errorShape = { Code: 'string', Message: 'string' } as const;

/** `ErrorResponse > Error` in Query, `Response > Errors > Error` in EC2; between AWS and here others answer too. */
function toError(statusCode: number, headers: Readonly<Record<string, string>>, body: string): AwsError {
  const document = parsed(body);
  const errors = xmlReader.member(document, 'Errors') ?? document;
  const { Code, Message } = readShape(errorShape, xmlReader.member(errors, 'Error'), xmlReader) ?? {};
  return new AwsError({
    code: Code ?? `Http${statusCode}`,
    message: Message ?? `AWS answered ${statusCode} without a reason`,
    statusCode,
    requestId: headers['x-amzn-requestid'],
  });
}

function parsed(body: string): XmlElement | undefined {
  try {
    return parseXml(body);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
