// A receiver of webhooks with Go's own library. FRONTDESK_WEBHOOK_SECRET=whsec_… PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	maxBodyBytes = 5 << 20
)

// In your program: a table with a unique key, which outlives a restart. An event may come again after days.
var handled sync.Map

type event struct {
	ID    string          `json:"id"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// isFromFrontdesk tells whether both signatures fit the raw body. While a secret is being replaced, each comes twice:
// one of the two is enough.
func isFromFrontdesk(body []byte, headers http.Header, secret string) bool {
	ofService := hmac.New(sha256.New, []byte(secret))
	ofService.Write(body)
	service := "sha256=" + hex.EncodeToString(ofService.Sum(nil))
	services := []string{headers.Get("x-service-signature"), headers.Get("x-service-signature-previous")}

	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	timestamp := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), timestamp)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	given := strings.Split(headers.Get("webhook-signature"), " ")
	return isOneOf(services, service) && isOneOf(given, expected)
}

// isOneOf takes the same time wherever the first difference is.
func isOneOf(given []string, expected string) bool {
	for _, one := range given {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}

func receive(secret string) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
		var received event
		if err != nil || !isFromFrontdesk(body, request.Header, secret) || json.Unmarshal(body, &received) != nil {
			http.Error(response, "not from Frontdesk", http.StatusBadRequest)
			return
		}
		_, isKnown := handled.LoadOrStore(received.ID, true)
		// The work must not hold up the answer, which Frontdesk waits for at most 10 seconds.
		if !isKnown {
			go handle(received)
		}
		response.WriteHeader(http.StatusNoContent)
	}
}

func handle(received event) {
	fmt.Println(received.Event, received.ID)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("POST /webhooks", receive(os.Getenv("FRONTDESK_WEBHOOK_SECRET")))
	server := http.Server{Addr: "127.0.0.1:" + port, ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
