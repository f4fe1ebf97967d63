package mockapns

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The ten scenarios that every client has.

var device = strings.Repeat("ab", 32)

func TestDeliver(t *testing.T) {
	apns := Start(t)
	newSender(apns).push(t, device, "Shipped")
	push := apns.Expect(Match{"device": device, "aps.alert.title": "Ship*"})[0]
	if title := push.Value("payload.aps.alert.title"); title != "Shipped" {
		t.Errorf("got %v", title)
	}
}

func TestNone(t *testing.T) {
	f := &failing{T: t}
	apns := Start(f)
	apns.ExpectNone(Match{"device": device})
	newSender(apns).push(t, device, "Shipped")
	contains(t, f.failure(func() { apns.ExpectNone(Match{"device": device}) }), "expectation not met: no ", "got 1")
}

func TestExactly(t *testing.T) {
	f := &failing{T: t}
	apns := Start(f)
	for _, title := range []string{"one", "two"} {
		newSender(apns).push(t, device, title)
	}
	apns.Expect(Match{"device": device}, Exactly(2))
	contains(t, f.failure(func() { apns.Expect(Match{}, Exactly(1)) }), "exactly 1 ", "got 2")
}

func TestRefusedWithTheReasonShown(t *testing.T) {
	f := &failing{T: t}
	apns := Start(f)
	if got := newSender(apns).push(t, device, "Shipped", "apns-priority", "7"); got.Reason != "BadPriority" {
		t.Errorf("got %v", got)
	}
	apns.Expect(Match{"outcome": "rejected", "reason": "BadPriority"})
	contains(t, f.failure(func() { apns.Expect(Match{"device": device}, Within(0)) }), "REJECTED 400 BadPriority")
	contains(t, f.failure(apns.Verdict), "not clean: rejected: 1 refused")
}

func Test410AndTheCleanUp(t *testing.T) {
	apns := Start(t)
	phone := apns.Device(DeviceOrder{Topics: []string{"com.example.app"}})
	service := newSender(apns, phone.Token)
	phone.Unregister(time.Hour)
	got := service.push(t, phone.Token, "Shipped")
	gone := time.Since(time.UnixMilli(got.Timestamp))
	if got.status != 410 || gone < time.Hour || gone > 61*time.Minute || len(service.devices) != 0 {
		t.Errorf("got %v, devices %v", got, service.devices)
	}
}

func TestRetryAfter429(t *testing.T) {
	apns := Start(t)
	apns.FailNext(Fail{Reason: "TooManyRequests", Times: 2})
	if got := newSender(apns).push(t, device, "Shipped"); got.status != 200 {
		t.Errorf("got %v", got)
	}
	apns.Expect(Match{"outcome": "rejected", "status": 429}, Exactly(2))
	apns.Expect(Match{"device": device}, Exactly(1))
	apns.Verdict()
}

func TestGoAway(t *testing.T) {
	apns := Start(t)
	service := newSender(apns)
	service.push(t, device, "before")
	apns.FailNext(Fail{Fault: "goaway", LastStream: "none"})
	if got := service.push(t, device, "after"); got.status != 200 {
		t.Errorf("got %v", got)
	}
	pushes := apns.Expect(Match{"device": device}, Exactly(2))
	if pushes[0].Connection.ID == pushes[1].Connection.ID {
		t.Error("the sender did not connect again")
	}
}

func TestAProviderTokenThatExpiresByTheClock(t *testing.T) {
	apns := Start(t)
	service := newSender(apns)
	service.push(t, device, "fresh")
	apns.Clock.Advance(61 * time.Minute)
	if got := service.push(t, device, "stale"); got.Reason != "ExpiredProviderToken" {
		t.Errorf("got %v", got)
	}
	service.token = apns.ProviderToken(apns.Clock.Now())
	apns.Expect(Match{"aps.alert.title": "fresh"}, Exactly(1))
}

func TestFiftyInParallelOnOneServer(t *testing.T) {
	for number := 0; number < 50; number++ {
		title := fmt.Sprintf("push %d", number)
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			apns := Start(t)
			newSender(apns).push(t, device, title)
			if push := apns.Expect(Match{}, Exactly(1))[0]; push.Value("payload.aps.alert.title") != title {
				t.Errorf("got %v", push.All)
			}
			apns.Verdict()
		})
	}
}

func TestTheNearestMissIsTold(t *testing.T) {
	f := &failing{T: t}
	apns := Start(f)
	newSender(apns).push(t, device, "Your order has shipped")
	wanted := Match{"device": device, "aps.alert.title": "Shipped*"}
	contains(t, f.failure(func() { apns.Expect(wanted, Within(100*time.Millisecond)) }),
		"closest #1  ACCEPTED", "aps.alert.title  NO   wanted Shipped*   got Your order has shipped")
}
