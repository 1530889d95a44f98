import { encodeQuery, type QueryDialect } from './query.ts';
import { type Answers, type AwsApi, post, type Service } from './service.ts';
import { readShape } from './shape.ts';
import { xmlReader } from './xml.ts';
import { documentOf } from './xml-document.ts';
import { xmlErrorOf } from './xml-error.ts';

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
      const answer = await post(service, {
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body: encodeQuery({ Action: operation, Version: version, ...input }, dialect),
      });
      if (answer.statusCode >= 300) throw xmlErrorOf(answer);
      const document = documentOf(operation, answer);
      const result =
        dialect === 'ec2' ? document : (xmlReader.member(document, `${operation}Result`) ?? document);
      return readShape(answers[operation], result, xmlReader) as never;
    },
  };
}
