// Oracle answers each line of JSON with a line of JSON: what the verifier and the ConfigMap mapper of aws-iam-authenticator say. STS is asked at
// the address of the first argument, whatever host a token names, so no line leaves the machine.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/sirupsen/logrus"

	"sigs.k8s.io/aws-iam-authenticator/pkg/config"
	"sigs.k8s.io/aws-iam-authenticator/pkg/mapper/configmap"
	"sigs.k8s.io/aws-iam-authenticator/pkg/token"
)

type question struct {
	// A token to verify, or the data of a ConfigMap with an identity to map.
	Token     string            `json:"token"`
	Data      map[string]string `json:"data"`
	Arn       string            `json:"arn"`
	AccountID string            `json:"accountId"`
}

type answer struct {
	Identity *token.Identity         `json:"identity,omitempty"`
	Mapping  *config.IdentityMapping `json:"mapping,omitempty"`
	Account  bool                    `json:"account,omitempty"`
	// Of a token that is refused: whether STS was asked, or asks for fewer calls.
	Refused string `json:"refused,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

func main() {
	clusterID, address := os.Args[1], os.Args[2]
	logrus.SetOutput(io.Discard)
	// The verifier has no transport of its own. The server is one of a test, on this machine.
	http.DefaultTransport = &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}
	verifier := token.NewVerifier(clusterID, "aws", "eu-west-1")
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		said := mapped(asked)
		if asked.Data == nil {
			said = verified(verifier, asked.Token)
		}
		line, err := json.Marshal(said)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(string(line))
	}
}

func verified(verifier token.Verifier, text string) answer {
	identity, err := verifier.Verify(text)
	var throttling token.STSThrottling
	var sts token.STSError
	switch {
	case err == nil:
		return answer{Identity: identity}
	case errors.As(err, &throttling):
		return answer{Refused: "throttled", Reason: err.Error()}
	case errors.As(err, &sts):
		return answer{Refused: "sts", Reason: err.Error()}
	default:
		return answer{Refused: "format", Reason: err.Error()}
	}
}

func mapped(asked question) answer {
	// What can be read of a bad document is kept, as by its watch of the ConfigMap.
	users, roles, accounts, _ := configmap.ParseMap(asked.Data)
	store := &configmap.MapStore{}
	saveMap(store, users, roles, accounts)
	mapper := &configmap.ConfigMapMapper{MapStore: store}
	mapping, err := mapper.Map(&token.Identity{CanonicalARN: asked.Arn, AccountID: asked.AccountID})
	if err == nil {
		return answer{Mapping: mapping}
	}
	return answer{Account: mapper.IsAccountAllowed(asked.AccountID)}
}
